import AacornContainers
import AacornSignal
import AacornSystem

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
