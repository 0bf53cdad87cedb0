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

  /// How many bytes have been read.
  private var byteCount = 0

  /// The most that is read of a name, with its length in front.
  private static let byteLimit = 2 + MP4Chapter.trackTitleLimit
  /// The same of names behind the first megabytes: all of them may claim the same bytes of a file.
  private static let lateByteLimit = 1026
  /// How many bytes are read before names are shortened.
  private static let longNamesLimit = 1 << 22
  /// The most names that are read: an empty one may precede the chapters.
  static let nameLimit = 1 + MP4Chapter.writtenLimit

  /// How many names there seem to be.
  var count: Int { min(samples.placedCount, samples.timedCount, Self.nameLimit) }

  /// Where the next name is; nil behind the last one that a file of this length has.
  mutating func place(before end: UInt64) -> (offset: UInt64, count: Int)? {
    let limit = byteCount < Self.longNamesLimit ? Self.byteLimit : Self.lateByteLimit
    while timescale > 0, index < count, let sample = samples.sample(at: index) {
      let length = UInt64(min(sample.byteCount, UInt32(limit)))
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
    byteCount += bytes.count
    guard let sample = samples.sample(at: index), bytes.count >= 2,
      chapters.count < MP4Chapter.writtenLimit
    else { return }
    let (seconds, rest) = sample.time.quotientAndRemainder(dividingBy: UInt64(timescale))
    let unit = MP4Chapter.unitsPerSecond
    guard seconds < MP4Chapter.startLimit / unit else { return }
    let title = Self.title(bytes)
    // Nothing but the time before the first chapter.
    if index == 0, count > 1, title.utf8.isEmpty { return }
    chapters.append(
      MP4Chapter(start: seconds * unit + rest * unit / UInt64(timescale), title: title))
  }

  /// The chapters of a list with what it lacks: all of them if the track has more, or the ends of
  /// names for which a list has no room.
  func completing(_ list: [MP4Chapter]) -> [MP4Chapter] {
    if chapters.count > list.count {
      guard let first = list.first, first.start == 0, first.title.utf8.isEmpty,
        chapters[0].start > 0, chapters.count < MP4Chapter.writtenLimit
      else { return chapters }
      // The empty name in front is that of a chapter after all.
      return [first] + chapters
    }
    if chapters.count < list.count { return list }
    var result = list
    for index in list.indices where list[index].mayBeShortened {
      let title = chapters[index].title
      if title.utf8.starts(with: list[index].title.utf8) { result[index].title = title }
    }
    return result
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
    units.reserveCapacity(bytes.count / 2)
    var index = bytes.startIndex
    while index + 1 < bytes.endIndex {
      let pair = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      units.append(isBigEndian ? pair.0 << 8 | pair.1 : pair.1 << 8 | pair.0)
      index += 2
    }
    return String(decoding: units, as: UTF16.self)
  }
}
