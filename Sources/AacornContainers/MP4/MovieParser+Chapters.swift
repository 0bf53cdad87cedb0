import AacornCodec

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
    var isWanted = false
    var media: Box?
    var list = boxes(in: track.content)
    while let box = list.next(&damage) {
      if box.type == .trackHeader { isWanted = identifiers.contains(readTrackIdentifier(box)) }
      if box.type == .media { media = media ?? box }
    }
    guard isWanted, let media else { return 0 }
    var timescale: UInt32 = 0
    var isText = false
    var tables: SampleTableBoxes?
    list = boxes(in: media.content)
    while let box = list.next(&damage) {
      switch box.type {
      case .mediaHeader: timescale = readClock(box).timescale
      case .handler:
        let kind = handler(box)
        isText = kind == .textHandler || kind == .subtitleHandler
      case .mediaInformation: tables = tables ?? findTables(in: box)
      default: break
      }
    }
    guard isText, timescale > 0, let tables else { return 0 }
    readSamples(tables, in: media)
    return timescale
  }
}
