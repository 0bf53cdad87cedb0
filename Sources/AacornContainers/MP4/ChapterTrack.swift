/// A text track whose samples are the names of chapters, as QuickTime has them.
///
/// The names are not in the tables, so each has to be asked for.
struct ChapterTrack: Sendable {
  /// The places and times of the names.
  var samples = SampleTable()
  /// Ticks of the track per second.
  var timescale: UInt32 = 0
  /// The chapters whose names have been read.
  private(set) var chapters: [MP4Chapter] = []
  /// The next name to ask for.
  private var index = 0

  /// The most that is read of a name, with its length in front.
  private static let byteLimit: UInt32 = 1026

  /// How many chapters there seem to be.
  var count: Int { min(samples.placedCount, samples.timedCount, MP4Chapter.writtenLimit) }

  /// Where the next name is; nil behind the last one that a file of this length has.
  mutating func place(before end: UInt64) -> (offset: UInt64, count: Int)? {
    while timescale > 0, index < count, let sample = samples.sample(at: index) {
      let length = UInt64(min(sample.byteCount, Self.byteLimit))
      if length >= 2, sample.offset <= end, end - sample.offset >= length {
        return (sample.offset, Int(length))
      }
      index += 1
    }
    return nil
  }

  /// Takes what is at that place.
  mutating func take(_ bytes: [UInt8]) {
    defer { index += 1 }
    guard let sample = samples.sample(at: index), bytes.count >= 2 else { return }
    let (seconds, rest) = sample.time.quotientAndRemainder(dividingBy: UInt64(timescale))
    let unit = MP4Chapter.unitsPerSecond
    guard seconds < MP4Chapter.startLimit / unit else { return }
    chapters.append(
      MP4Chapter(
        start: seconds * unit + rest * unit / UInt64(timescale), title: Self.title(bytes)))
  }

  /// The text of a sample: two bytes with its length, then UTF-8, or UTF-16 behind a mark.
  private static func title(_ bytes: [UInt8]) -> String {
    let length = Int(bytes[0]) << 8 | Int(bytes[1])
    let text = bytes[2..<min(bytes.count, 2 + length)]
    if text.starts(with: [0xFE, 0xFF]) { return wideTitle(text.dropFirst(2), isBigEndian: true) }
    if text.starts(with: [0xFF, 0xFE]) { return wideTitle(text.dropFirst(2), isBigEndian: false) }
    return String(decoding: text, as: UTF8.self)
  }

  private static func wideTitle(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> String {
    var units: [UInt16] = []
    var index = bytes.startIndex
    while index + 1 < bytes.endIndex {
      let pair = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      units.append(isBigEndian ? pair.0 << 8 | pair.1 : pair.1 << 8 | pair.0)
      index += 2
    }
    var text: [UInt8] = []
    var place = 0
    while place < units.count {
      var value = UInt32(units[place])
      place += 1
      // Two units for what lies beyond 16 bits.
      if value & 0xFC00 == 0xD800, place < units.count, units[place] & 0xFC00 == 0xDC00 {
        value = 0x10000 + (value & 0x3FF) << 10 + UInt32(units[place] & 0x3FF)
        place += 1
      }
      append(value, to: &text)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends a character in UTF-8; half a pair is replaced when the text is decoded.
  private static func append(_ value: UInt32, to text: inout [UInt8]) {
    func put(_ prefix: UInt32, _ shift: UInt32, _ mask: UInt32) {
      text.append(UInt8(truncatingIfNeeded: prefix | value >> shift & mask))
    }
    if value < 0x80 { return put(0, 0, 0x7F) }
    if value < 0x800 {
      put(0xC0, 6, 0x1F)
    } else if value < 0x10000 {
      put(0xE0, 12, 0x0F)
      put(0x80, 6, 0x3F)
    } else {
      put(0xF0, 18, 0x07)
      put(0x80, 12, 0x3F)
      put(0x80, 6, 0x3F)
    }
    put(0x80, 0, 0x3F)
  }
}
