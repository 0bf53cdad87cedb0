import AacornCodec

/// Parses a `moov` box in memory.
struct MovieParser {
  let bytes: [UInt8]
  /// The file offset of the content.
  let fileOffset: UInt64
  /// The length of the file, which limits the counts in its tables.
  let fileByteCount: UInt64
  var damage: DamageLog

  /// The number of the AAC track to read, from 1.
  var wantedTrack = 1
  /// The maximum number of frames to read.
  var unitLimit = TrackParameters.unitLimit

  var movie = MovieContents()
  /// The number of bytes of the item list entries that are kept unchanged.
  var otherItemsByteCount = 0
  private var movieTimescale: UInt32 = 0
  /// The numbers of the tracks that may have chapter titles.
  private var chapterReferences: [UInt32] = []

  init(_ bytes: [UInt8], fileOffset: UInt64, fileByteCount: UInt64, damage: DamageLog) {
    self.bytes = bytes
    self.fileOffset = fileOffset
    self.fileByteCount = fileByteCount
    self.damage = damage
  }

  mutating func parse() {
    var tracks: [Box] = []
    var list = boxes(in: 0..<bytes.count)
    while let box = list.next(&damage) {
      switch box.type {
      case .movieHeader:
        let clock = readClock(box)
        movieTimescale = clock.timescale
        movie.creationTime = clock.creationTime
      case .track: tracks.append(box)
      case .movieExtends: readMovieExtends(box)
      case .userData: readUserData(box.content)
      case .metadata: readMetadata(box)
      default: break
      }
    }
    for box in tracks { readTrack(box) }
    readChapterTrack(chapterReferences, among: tracks)
  }

  func boxes(in range: Range<Int>) -> BoxList {
    BoxList(bytes, in: range, fileOffset: fileOffset)
  }

  func fields(of box: Box) -> BitReader {
    BitReader(bytes, range: box.content)
  }

  mutating func report(_ kind: MP4Damage.Kind, in box: Box) {
    damage.add(
      kind, offset: fileOffset + UInt64(box.start),
      length: UInt64(box.content.upperBound - box.start))
  }

  /// Returns a reader of the entries of a table, and their number as in `entryCount`.
  mutating func table(_ box: Box, entryBits: Int) -> (entries: BitReader, count: Int) {
    var reader = fields(of: box)
    reader.skip(32)
    let count = reader.read(32)
    return (reader, entryCount(count, entryBits: entryBits, left: reader, in: box))
  }

  /// Returns the number of table entries to read: `count`, or the number that fits the box.
  mutating func entryCount(
    _ count: UInt32, entryBits: Int, left reader: BitReader, in box: Box
  ) -> Int {
    let room = reader.remaining / entryBits
    if UInt64(count) <= UInt64(room) { return Int(count) }
    report(.countExceedsBox, in: box)
    return room
  }

  private mutating func readTrack(_ box: Box) {
    let track = readBoxes(ofTrack: box)
    guard let media = track.media else { return report(.missingTable, in: box) }
    let isAudio = track.handler == .soundHandler
    if isAudio { movie.hasAudioTrack = true }
    guard movie.track == nil, let tables = track.tables,
      var found = readSampleDescription(tables, isAudio: isAudio)
    else {
      movie.ignoredTrackCount += 1
      return
    }
    movie.aacTrackCount += 1
    guard movie.aacTrackCount == wantedTrack else {
      movie.ignoredTrackCount += 1
      return
    }
    found.identifier = track.identifier
    found.edits = track.edits
    found.timescale = track.clock.timescale
    found.duration = track.clock.duration
    found.movieTimescale = movieTimescale
    found.rollDistance = readRollDistance(tables)
    found.hasRollGroups = tables.hasRollGroups
    chapterReferences = track.chapterReferences
    if let userData = track.userData { readTrackUserData(userData) }
    movie.track = found
    readSamples(tables, in: media)
  }

  mutating func readBoxes(ofTrack box: Box) -> TrackBoxes {
    var track = TrackBoxes()
    var list = boxes(in: box.content)
    while let box = list.next(&damage) {
      switch box.type {
      case .trackHeader: track.identifier = readTrackHeader(box).identifier
      case .edit: track.edits = readEdits(box)
      case .trackReference: track.chapterReferences = readChapterReferences(box)
      case .media: track.media = track.media ?? box
      case .userData: track.userData = track.userData ?? box
      default: break
      }
    }
    guard let media = track.media else { return track }
    list = boxes(in: media.content)
    while let box = list.next(&damage) {
      switch box.type {
      case .mediaHeader: track.clock = readClock(box)
      case .handler: track.handler = readHandler(box)
      case .mediaInformation: track.tables = track.tables ?? findTables(in: box)
      default: break
      }
    }
    return track
  }

  /// Reads the first fields of `mvhd` or `mdhd`.
  private func readClock(_ box: Box) -> MediaClock {
    var reader = fields(of: box)
    var clock = MediaClock()
    clock.transfer(&reader, timeBits: reader.readTimeBits())
    return clock
  }

  private func readTrackHeader(_ box: Box) -> TrackHeader {
    var reader = fields(of: box)
    var header = TrackHeader()
    header.transfer(&reader, timeBits: reader.readTimeBits())
    return header
  }

  private func readHandler(_ box: Box) -> FourCharacterCode {
    var reader = fields(of: box)
    reader.skip(64)
    return reader.readCode()
  }

  private mutating func readEdits(_ box: Box) -> [MP4Track.Edit] {
    var edits: [MP4Track.Edit] = []
    var list = boxes(in: box.content)
    while let box = list.next(&damage) {
      guard box.type == .editList, edits.isEmpty else { continue }
      var reader = fields(of: box)
      let timeBits = reader.readTimeBits()
      let count = reader.read(32)
      for _ in 0..<entryCount(count, entryBits: 2 * timeBits + 32, left: reader, in: box) {
        var edit = MP4Track.Edit(duration: 0, mediaTime: 0)
        edit.transfer(&reader, timeBits: timeBits)
        edits.append(edit)
      }
    }
    return edits
  }

  private mutating func readMovieExtends(_ box: Box) {
    var list = boxes(in: box.content)
    while let box = list.next(&damage) {
      guard box.type == .trackExtends else { continue }
      var reader = fields(of: box)
      reader.skip(32)
      var defaults = FragmentDefaults()
      defaults.transfer(&reader)
      movie.fragmentDefaults.append(defaults)
    }
  }
}

/// The contents of a track box that this reader uses.
struct TrackBoxes {
  var identifier: UInt32 = 0
  var edits: [MP4Track.Edit] = []
  /// The numbers of the tracks that may have chapter titles.
  var chapterReferences: [UInt32] = []
  var userData: Box?
  var media: Box?
  var clock = MediaClock()
  /// The kind of the track.
  var handler: FourCharacterCode?
  var tables: SampleTableBoxes?
}

/// The contents of a movie box that a reader uses.
struct MovieContents: Sendable {
  var track: MP4Track?
  /// The number of AAC tracks up to the requested one.
  var aacTrackCount = 0
  /// The number of tracks other than the requested track and its chapter track, including further
  /// AAC tracks.
  var ignoredTrackCount = 0
  /// The codec of the first audio track that is not AAC, if it precedes any AAC track.
  var foreignCodec: CodedFileError.Codec?
  var isEncrypted = false
  /// Whether the file has an audio track of any codec.
  var hasAudioTrack = false
  /// The positions and times of the frames.
  var samples = SampleTable()
  /// The defaults of fragments, for every track that has them.
  var fragmentDefaults: [FragmentDefaults] = []
  var tags = MP4Tags()
  /// The number of item list entries that were too long to keep.
  var lostTagCount = 0
  /// The file range of the cover image.
  var coverImage: Range<UInt64>?
  /// The numbers of the iTunSMPB tag.
  var gaplessTag: GaplessTag?
  /// The start time and gap entries, if this package recorded the file.
  var notes = RecordingMetadata()
  var chapterTrack = ChapterTrack()
  /// The creation time, in seconds since the start of 1904; 0 if unknown.
  var creationTime: UInt64 = 0
}
