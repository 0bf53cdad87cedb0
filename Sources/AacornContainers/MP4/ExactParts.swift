/// The played parts of a track whose ticks are coarser than samples, exact to the sample.
///
///     " SSSSSSSSSSSSSSSS LLLLLLLLLLLLLLLL …"   start and length, hexadecimal, leading spaces
///
/// An edit list cannot begin between two ticks. The tag stores the exact positions. It is used only
/// if it agrees with the edit list, so the edits of other programs take precedence.
struct ExactParts: Equatable, Sendable {
  /// The parts, in samples of the decoded audio.
  var parts: [Range<UInt64>]

  private static let countLimit = 1 << 16

  /// Creates the tag, or returns nil if all parts begin at a tick.
  init?(_ parts: [Range<UInt64>], samplesPerTick: UInt64) {
    guard parts.contains(where: { $0.lowerBound % samplesPerTick != 0 }) else { return nil }
    self.parts = parts
  }

  /// The name of the tag, in the domain of the recording tags.
  static var name: [UInt8] { Array("parts".utf8) }

  var tag: FreeFormTag {
    var text: [UInt8] = []
    text.reserveCapacity(34 * parts.count)
    for part in parts {
      GaplessTag.append(part.lowerBound, digits: 16, to: &text)
      GaplessTag.append(part.upperBound - part.lowerBound, digits: 16, to: &text)
    }
    return FreeFormTag(meaning: RecordingMetadata.meaning, name: Self.name, texts: [text])
  }

  /// Parses the text of a tag; returns nil unless it consists of valid parts.
  init?(text: ArraySlice<UInt8>) {
    guard !text.isEmpty, text.count % 34 == 0, text.count / 34 <= Self.countLimit else {
      return nil
    }
    parts = []
    parts.reserveCapacity(text.count / 34)
    var index = text.startIndex
    while index < text.endIndex {
      guard let start = Self.number(text[index..<index + 17]),
        let length = Self.number(text[index + 17..<index + 34])
      else { return nil }
      let (end, overflow) = start.addingReportingOverflow(length)
      if overflow { return nil }
      parts.append(start..<end)
      index += 34
    }
  }

  /// Returns these parts, or `others` if they disagree.
  ///
  /// `others` are the parts of the edit list, exact to a tick. The parts must end before `end`. All
  /// values are in samples.
  func refining(
    _ others: [Range<UInt64>], samplesPerTick: UInt64, end: UInt64
  ) -> [Range<UInt64>] {
    guard parts.count == others.count else { return others }
    var last: UInt64 = 0
    for (part, other) in zip(parts, others) {
      guard part.lowerBound >= max(last, other.lowerBound), part.upperBound <= end,
        part.lowerBound - other.lowerBound < samplesPerTick,
        part.upperBound - part.lowerBound == other.upperBound - other.lowerBound
      else { return others }
      last = part.upperBound
    }
    return parts
  }

  /// Parses a space and sixteen hexadecimal digits.
  private static func number(_ text: ArraySlice<UInt8>) -> UInt64? {
    guard text.first == 0x20 else { return nil }
    var number: UInt64 = 0
    for byte in text.dropFirst() {
      guard let digit = GaplessTag.digit(byte) else { return nil }
      number = number << 4 | digit
    }
    return number
  }
}
