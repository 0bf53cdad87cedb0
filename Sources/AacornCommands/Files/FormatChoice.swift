import AacornRecording
import AacornSystem

/// The choice of a file format by the option `--format` or by the name of the output.
enum FormatChoice {
  /// Returns the format, or `defaultFormat` for an output whose name does not state one.
  ///
  /// `named` returns the format of a path. `writer` is the subject and the verb of the error about
  /// an unknown suffix.
  static func format<Format>(
    _ given: Format?, of output: String?, defaultFormat: Format, writer: String, hint: String,
    named: (String) -> Format?
  ) throws(UsageError) -> Format {
    if let given { return given }
    // A device such as /dev/null has no suffix and accepts any format.
    guard let output, isNamed(output), !FileName.suffix(output).isEmpty else {
      return defaultFormat
    }
    if let format = named(output) { return format }
    throw UsageError(
      "The suffix of “\(displayed(output))” does not match any format that \(writer).", hint: hint)
  }

  /// Returns the hint to write `format`, given the output and whether `--format` was given.
  ///
  /// An output with a name keeps its suffix, so `--format` alone would make a file with the wrong
  /// suffix.
  static func hint(_ format: String, output: String?, isFormatGiven: Bool) -> String {
    guard let output, isNamed(output) else {
      return isFormatGiven ? "Choose --format \(format)." : "Add --format \(format)."
    }
    let name = "ive the output a name that ends in .\(format)."
    return isFormatGiven ? "Omit --format, and g\(name)" : "G\(name)"
  }

  static func isFolder(_ path: String) -> Bool { (try? System.status(of: path))?.kind == .folder }

  private static func isNamed(_ output: String) -> Bool { output != "-" && !isFolder(output) }

  /// Rejects audio on a terminal.
  static func checkTerminal() throws(UsageError) {
    try reject(
      if: System.isTerminal(System.standardOutput), "Audio cannot be written to the terminal.",
      hint: "Redirect the output, or name a file with -o.")
  }
}
