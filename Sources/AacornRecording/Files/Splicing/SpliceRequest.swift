package import AacornContainers
import AacornSignal
import AacornSystem

/// The inputs, the output and the part of a splice without encoding.
package struct SpliceRequest: Sendable {
  package let inputs: [String]
  package let output: String
  package let format: CodedFileWriter.Format
  package var start = Duration.zero
  /// The maximum duration of the part; nil for the remainder.
  package var duration: Duration?
  /// The end of the part, as an alternative to the duration.
  package var end: Duration?
  package var replacesExisting = false

  /// Creates a request for complete inputs; throws if the output's suffix is unknown, or the output
  /// is an input.
  package init(_ inputs: [String], to output: String) throws(AACFileError) {
    self.inputs = inputs
    self.output = output
    format = try AACFile.format(of: output)
    if SourceFiles(inputs).contains(output) { throw .isInput(output) }
  }

  /// Whether the output's format can signal the audible samples.
  var isExact: Bool { format == .m4a }

  /// Returns the warnings about tags and records that the output cannot contain, as messages.
  func lossWarnings(of source: CodedUnitSource) -> [String] {
    if isExact { return source.lostTagWarnings }
    if source.tags.isEmpty && source.gapEntries.isEmpty { return [] }
    return [
      "“\(displayed(output))” cannot carry the tags, chapters and gap records of "
        + "“\(displayed(source.path))”; M4A files can."
    ]
  }

  /// Returns the duration of a number of samples as text, in milliseconds.
  static func text(_ count: Int64, at sampleRate: Int) -> String {
    QuantityText.fixed(Double(count) * 1000 / Double(max(1, sampleRate)), decimals: 1) + " ms"
  }
}

extension MP4Chapter {
  static func time(_ count: Int64, at sampleRate: Int) -> UInt64 {
    let (count, rate) = (UInt64(max(0, count)), UInt64(max(1, sampleRate)))
    // Times beyond the limit are clamped to it.
    if count / rate >= startLimit / unitsPerSecond { return startLimit }
    return count.rescaled(from: rate, to: unitsPerSecond)
  }

  /// Returns the chapters of a part, with times from its start.
  ///
  /// The first chapter may have begun before the part.
  static func cut(
    _ chapters: [MP4Chapter], from start: UInt64, to end: UInt64
  ) -> [MP4Chapter] {
    var result: [MP4Chapter] = []
    for (index, chapter) in chapters.enumerated() where chapter.start < end {
      let next = index + 1 < chapters.count ? chapters[index + 1].start : .max
      if next <= start { continue }
      result.append(
        MP4Chapter(start: max(chapter.start, start) - start, title: chapter.title))
    }
    return result
  }

  /// Returns the chapters shifted by the duration of the preceding audio.
  static func moved(_ chapters: [MP4Chapter], by time: UInt64) -> [MP4Chapter] {
    chapters.map { MP4Chapter(start: min($0.start, startLimit) + time, title: $0.title) }
  }

  /// Returns the warnings about chapters that a file cannot contain, as messages.
  static func lossWarnings(_ chapters: [MP4Chapter], output: String) -> [String] {
    if chapters.count <= writtenLimit { return [] }
    return [
      "“\(displayed(output))” contains only the first \(writtenLimit) of "
        + "\(QuantityText.count(chapters.count, "chapter"))."
    ]
  }
}
