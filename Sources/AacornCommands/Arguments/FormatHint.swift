import AacornRecording
import AacornSystem

/// The hint for an option that needs another file format.
enum FormatHint {
  /// Returns the hint to write `format`, given the output and whether `--format` was given.
  ///
  /// An output with a name keeps its suffix, so `--format` alone would make a file with the wrong
  /// suffix.
  static func text(_ format: String, output: String?, isFormatGiven: Bool) -> String {
    let isNamed = output.map { $0 != "-" && (try? System.status(of: $0))?.kind != .folder }
    guard isNamed == true else {
      return isFormatGiven ? "Choose --format \(format)." : "Add --format \(format)."
    }
    let name = "ive the output a name that ends in .\(format)."
    return isFormatGiven ? "Omit --format, and g\(name)" : "G\(name)"
  }
}
