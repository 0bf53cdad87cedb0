/// The parts that are heard of a track whose ticks are coarser than samples, to the sample.
///
///     " SSSSSSSSSSSSSSSS LLLLLLLLLLLLLLLL …"   start and length, hexadecimal, leading spaces
///
/// An edit list cannot begin between two ticks. The tag says where it was to begin; it is believed as
/// far as it agrees with the edit list, so a file that others have changed since plays as they mean.
struct ExactParts: Equatable, Sendable {
  /// The parts, in samples of the decoded sound.
  var parts: [Range<UInt64>]

  /// The most parts that are read.
  private static let countLimit = 1 << 16

  /// The parts, unless all of them begin at a tick.
  init?(_ parts: [Range<UInt64>], samplesPerTick: UInt64) {
    guard parts.contains(where: { $0.lowerBound % samplesPerTick != 0 }) else { return nil }
    self.parts = parts
  }

  /// Who defined the tag is who defined those of a recording; this is its name.
  static var name: [UInt8] { Array("parts".utf8) }

  /// The tag as stored in a file.
  var tag: FreeFormTag {
    var text: [UInt8] = []
    text.reserveCapacity(34 * parts.count)
    for part in parts {
      GaplessTag.append(part.lowerBound, digits: 16, to: &text)
      GaplessTag.append(part.upperBound - part.lowerBound, digits: 16, to: &text)
    }
    return FreeFormTag(meaning: RecordingNotes.meaning, name: Self.name, text: text)
  }

  /// Parses the text of a tag; nil unless it consists of such parts.
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

  /// These parts where an edit list that plays `others` cannot say more than a tick, and the sound
  /// ends at `end`, all in samples; otherwise the others.
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

  /// A space and sixteen digits.
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
