package import AacornContainers
import AacornSystem

/// Of which files a part, or all, becomes which file without being encoded again.
package struct SpliceRequest: Sendable {
  /// The paths of the inputs.
  package let inputs: [String]
  /// The path of the output.
  package let output: String
  /// The format of the output.
  package let format: CodedFileWriter.Format
  /// Where the part begins.
  package var start = Duration.zero
  /// How long it is at most; nil for all that follows.
  package var duration: Duration?
  /// Where it ends, if not by its length.
  package var end: Duration?
  /// Whether an existing file is replaced.
  package var replacesExisting = false

  /// Asks for a file with everything; throws if its suffix does not tell a format, or if it is among
  /// the inputs.
  package init(_ inputs: [String], to output: String) throws(AACFileError) {
    self.inputs = inputs
    self.output = output
    format = try AACFile.format(of: output)
    if SourceFiles(inputs).contains(output) { throw .isInput(output) }
  }

  /// Whether the output can say which samples are heard.
  var isExact: Bool { format == .m4a }
}

extension SpliceRequest {
  /// What to say of notes and tags that the output cannot carry, as sentences.
  func lossWarnings(of source: CodedUnitSource) -> [String] {
    if isExact { return source.lostTagWarnings }
    if source.tags.isEmpty && source.gapEntries.isEmpty { return [] }
    return [
      "“\(displayed(output))” cannot carry the tags, chapters and notes of "
        + "“\(displayed(source.path))”; M4A files can."
    ]
  }

  /// What to say of parts that only this package begins at the right sample, as sentences.
  func tickWarnings(_ parts: [Range<Int64>], form: CodedForm) -> [String] {
    let tick = Int64(form.timing.samplesPerTick(of: form.stream))
    guard isExact, parts.contains(where: { $0.lowerBound % tick != 0 }) else { return [] }
    let what = parts.count > 1 ? "parts of “\(displayed(output))”" : "“\(displayed(output))”"
    return [
      "Other players begin \(what) one sample earlier, because M4A counts HE-AAC in pairs of "
        + "samples."
    ]
  }

  /// The time of so many samples in words, in milliseconds.
  static func words(_ count: Int64, at sampleRate: Int) -> String {
    QuantityText.fixed(Double(count) * 1000 / Double(max(1, sampleRate)), decimals: 1) + " ms"
  }
}
