import AacornCodec
import AacornSignal

/// A text track whose samples are chapter titles, as in QuickTime.
///
/// The titles are outside the tables, so each one is requested separately.
struct ChapterTrack: Sendable {
  /// The positions and times of the titles.
  var samples = SampleTable()
  /// The timescale of the track, in ticks per second.
  var timescale: UInt32 = 0
  /// The chapters whose titles have been read.
  private(set) var chapters: [MP4Chapter] = []
  /// The index of the next title to request.
  private var index = 0

  /// The number of bytes read.
  private var byteCount = 0

  /// The maximum number of bytes of a title, including its length field.
  private static let byteLimit = 2 + MP4Chapter.trackTitleLimit
  /// The maximum number of bytes of a title once `longNamesLimit` bytes have been read.
  ///
  /// All titles may be at the same offset, so the length of the file does not limit their total
  /// length.
  private static let lateByteLimit = 1026
  /// The number of bytes after which titles are shortened.
  private static let longNamesLimit = 1 << 22
  /// The maximum number of titles to read: an empty one may precede the chapters.
  static let nameLimit = 1 + MP4Chapter.writtenLimit

  /// The number of titles that the tables list.
  var count: Int { min(samples.placedCount, samples.timedCount, Self.nameLimit) }

  /// Returns the range of the next title inside a file of length `end`, or nil after the last one.
  mutating func nextTitleRange(before end: UInt64) -> (offset: UInt64, count: Int)? {
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

  /// Supplies the bytes of the requested title.
  mutating func supply(_ bytes: [UInt8]) {
    defer { index += 1 }
    byteCount += bytes.count
    guard let sample = samples.sample(at: index), bytes.count >= 2,
      chapters.count < MP4Chapter.writtenLimit
    else { return }
    let (rate, unit) = (UInt64(timescale), MP4Chapter.unitsPerSecond)
    guard sample.time / rate < MP4Chapter.startLimit / unit else { return }
    let title = Self.title(bytes)
    // An empty first title covers only the time before the first chapter.
    if index == 0, count > 1, title.utf8.isEmpty { return }
    chapters.append(MP4Chapter(start: sample.time.rescaled(from: rate, to: unit), title: title))
  }

  /// Returns the chapters of a list, completed from this track.
  ///
  /// If the track has more chapters, it replaces the list. If titles of the list were shortened,
  /// the track completes them.
  func completing(_ list: [MP4Chapter]) -> [MP4Chapter] {
    if chapters.count > list.count {
      guard let first = list.first, first.start == 0, first.title.utf8.isEmpty,
        chapters[0].start > 0, chapters.count < MP4Chapter.writtenLimit
      else { return chapters }
      // The list shows that the empty first title belongs to a chapter.
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

  /// Decodes a sample: a 16-bit length, then UTF-8, or UTF-16 after a byte order mark.
  private static func title(_ bytes: [UInt8]) -> String {
    let length = Int(bytes[..<2].number())
    let text = bytes[2..<min(bytes.count, 2 + length)]
    let isBigEndian = text.starts(with: [0xFE, 0xFF])
    guard isBigEndian || text.starts(with: [0xFF, 0xFE]) else {
      return String(decoding: text, as: UTF8.self)
    }
    return String(decoding: text.dropFirst(2).units(isBigEndian: isBigEndian), as: UTF16.self)
  }
}

extension MovieParser {
  /// Reads `chpl`, up to the first error.
  ///
  /// In version 1, the count has four bytes and follows an unused byte. In version 0, it is one
  /// byte.
  mutating func readChapterList(_ box: Box) {
    guard movie.tags.chapters.isEmpty else { return }
    var reader = fields(of: box)
    let version = reader.read(8)
    reader.skip(version == 0 ? 24 : 32)
    let count = min(reader.read(version == 0 ? 8 : 32), UInt32(MP4Chapter.writtenLimit))
    var chapters: [MP4Chapter] = []
    for _ in 0..<count {
      guard reader.remaining >= 72 else { break }
      let start = reader.readLong(64)
      let length = Int(reader.read(8))
      let first = reader.position / 8
      guard reader.remaining >= 8 * length else { break }
      reader.skip(8 * length)
      if start >= MP4Chapter.startLimit { continue }
      let title = String(decoding: bytes[first..<first + length], as: UTF8.self)
      chapters.append(MP4Chapter(start: start, title: title))
    }
    chapters.sort { $0.start < $1.start }
    movie.tags.chapters = chapters
  }

  /// Returns the numbers of the chapter tracks that a track refers to.
  mutating func readChapterReferences(_ box: Box) -> [UInt32] {
    var identifiers: [UInt32] = []
    var list = boxes(in: box.content)
    while let box = list.next(&damage) {
      guard box.type == .chapterReference else { continue }
      var reader = fields(of: box)
      // One of the tracks has the titles; another may have pictures.
      while reader.remaining >= 32, identifiers.count < 8 { identifiers.append(reader.read(32)) }
    }
    return identifiers
  }

  /// Reads the tables of the first of `tracks` that has one of `identifiers` and contains text.
  ///
  /// Damage in these tables is not reported, because it does not affect the audio.
  mutating func readChapterTrack(_ identifiers: [UInt32], among tracks: [Box]) {
    if identifiers.isEmpty { return }
    let soundDamage = damage
    let soundLimit = unitLimit
    var sound = SampleTable()
    swap(&sound, &movie.samples)
    unitLimit = ChapterTrack.nameLimit
    for box in tracks where movie.chapterTrack.count == 0 {
      movie.samples = SampleTable()
      let timescale = readTextTables(of: box, identifiers)
      movie.chapterTrack.samples = movie.samples
      movie.chapterTrack.timescale = timescale
    }
    // The chapter track does not count as another track.
    if movie.chapterTrack.count > 0 { movie.ignoredTrackCount -= 1 }
    unitLimit = soundLimit
    swap(&sound, &movie.samples)
    damage = soundDamage
  }

  /// Reads the tables of a text track with one of these numbers; returns its timescale, or 0.
  private mutating func readTextTables(of track: Box, _ identifiers: [UInt32]) -> UInt32 {
    let track = readBoxes(ofTrack: track)
    let isText = track.handler == .textHandler || track.handler == .subtitleHandler
    guard identifiers.contains(track.identifier), isText, track.clock.timescale > 0,
      let media = track.media, let tables = track.tables
    else { return 0 }
    readSamples(tables, in: media)
    return track.clock.timescale
  }
}
