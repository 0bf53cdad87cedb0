import AacornCodec

/// Parses a `moov` box in memory.
struct MovieParser {
  /// The content of the box.
  let bytes: [UInt8]
  /// Where the content begins in the file.
  let fileOffset: UInt64
  /// The length of the file, which limits what its tables may claim.
  let fileByteCount: UInt64
  /// The damage found.
  var damage: DamageLog

  /// The number of the track to read, from 1 among those of AAC.
  var wantedTrack = 1
  /// The most frames to read.
  var unitLimit = TrackParameters.unitLimit

  /// The AAC track that was asked for.
  var track: MP4Track?
  /// Its frames.
  var samples = SampleTable()
  /// Tracks of other kinds than this and its chapters, and further AAC tracks.
  var otherTrackCount = 0
  /// AAC tracks up to and including the one asked for.
  var aacTrackCount = 0
  /// The first audio that is not AAC.
  var foreignCodec: CodedFileError.Codec?
  /// Whether an encrypted track was found.
  var isEncrypted = false
  /// Whether there is a track of sound of any kind.
  var hasSoundTrack = false
  /// The tags.
  var tags = MP4Tags()
  /// Where the cover image is in the file.
  var coverImage: Range<UInt64>?
  /// The iTunSMPB tag.
  var gaplessTag: GaplessTag?
  /// The track with the names of chapters.
  var chapterTrack = ChapterTrack()
  /// The bytes of the entries of the item list that are kept as they are.
  var otherItemsByteCount = 0
  /// Entries of the item list that were too long to keep.
  var lostItemCount = 0
  /// The parts that are heard, to the sample.
  var exactParts: ExactParts?
  /// What a recording says about itself.
  var notes = RecordingNotes()
  /// The values that fragments omit, for every track that has such defaults.
  var defaults: [FragmentDefaults] = []
  /// When the file was made.
  var creationTime: UInt64 = 0
  private var movieTimescale: UInt32 = 0
  /// The tracks that may have the names of chapters.
  private var chapterReferences: [UInt32] = []

  /// A parser that has not started.
  init(_ bytes: [UInt8], fileOffset: UInt64, fileByteCount: UInt64, damage: DamageLog) {
    self.bytes = bytes
    self.fileOffset = fileOffset
    self.fileByteCount = fileByteCount
    self.damage = damage
  }

  /// Parses everything.
  mutating func parse() {
    var tracks: [Box] = []
    var list = boxes(in: 0..<bytes.count)
    while let box = list.next(&damage) {
      switch box.type {
      case .movieHeader:
        movieTimescale = readTimescale(box).timescale
        creationTime = readCreationTime(box)
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

  /// The boxes in a range of the bytes.
  func boxes(in range: Range<Int>) -> BoxList {
    BoxList(bytes, in: range, fileOffset: fileOffset)
  }

  /// A reader for the fields of a box.
  func fields(of box: Box) -> BitReader {
    BitReader(bytes, range: box.content)
  }

  /// Reports damage in a box.
  mutating func report(_ kind: MP4Damage.Kind, in box: Box) {
    damage.add(
      kind, offset: fileOffset + UInt64(box.start),
      length: UInt64(box.content.upperBound - box.start))
  }

  /// How many entries of a table to read: `count`, or what is actually there.
  mutating func entryCount(
    _ count: UInt32, entryBits: Int, left reader: BitReader, in box: Box
  ) -> Int {
    let room = reader.remaining / entryBits
    if UInt64(count) <= UInt64(room) { return Int(count) }
    report(.countExceedsBox, in: box)
    return room
  }

  private mutating func readTrack(_ box: Box) {
    var identifier: UInt32 = 0
    var edits: [MP4Track.Edit] = []
    var chapterReferences: [UInt32] = []
    var media: Box?
    var userData: Box?
    var list = boxes(in: box.content)
    while let box = list.next(&damage) {
      switch box.type {
      case .trackHeader: identifier = readTrackIdentifier(box)
      case .edit: edits = readEdits(box)
      case .trackReference: chapterReferences = readChapterReferences(box)
      case .media: media = media ?? box
      case .userData: userData = userData ?? box
      default: break
      }
    }
    guard let media else { return report(.missingTable, in: box) }
    var clock: (timescale: UInt32, duration: UInt64) = (0, 0)
    var tables: SampleTableBoxes?
    var isSound = false
    list = boxes(in: media.content)
    while let box = list.next(&damage) {
      switch box.type {
      case .mediaHeader: clock = readTimescale(box)
      case .handler: isSound = handler(box) == .soundHandler
      case .mediaInformation: tables = tables ?? findTables(in: box)
      default: break
      }
    }
    if isSound { hasSoundTrack = true }
    guard track == nil, let tables, var found = readSampleDescription(tables, isSound: isSound)
    else {
      otherTrackCount += 1
      return
    }
    aacTrackCount += 1
    guard aacTrackCount == wantedTrack else {
      otherTrackCount += 1
      return
    }
    found.identifier = identifier
    found.edits = edits
    found.timescale = clock.timescale
    found.duration = clock.duration
    found.movieTimescale = movieTimescale
    found.rollDistance = readRollDistance(tables)
    found.hasRollGroups = tables.hasRollGroups
    self.chapterReferences = chapterReferences
    if let userData { readTrackUserData(userData) }
    track = found
    readSamples(tables, in: media)
  }

  /// The timescale of `mvhd` or `mdhd`, which begin alike.
  func readTimescale(_ box: Box) -> (timescale: UInt32, duration: UInt64) {
    var reader = fields(of: box)
    let version = reader.read(8)
    reader.skip(24 + (version == 1 ? 128 : 64))
    let timescale = reader.read(32)
    let duration = version == 1 ? reader.read64() : UInt64(reader.read(32))
    return (timescale, duration)
  }

  private func readCreationTime(_ box: Box) -> UInt64 {
    var reader = fields(of: box)
    let isWide = reader.read(8) == 1
    reader.skip(24)
    return isWide ? reader.read64() : UInt64(reader.read(32))
  }

  /// The number of a track, from its header.
  func readTrackIdentifier(_ box: Box) -> UInt32 {
    var reader = fields(of: box)
    let version = reader.read(8)
    reader.skip(24 + (version == 1 ? 128 : 64))
    return reader.read(32)
  }

  /// What kind of media a handler is for.
  func handler(_ box: Box) -> FourCharacterCode {
    var reader = fields(of: box)
    reader.skip(64)
    return FourCharacterCode(rawValue: reader.read(32))
  }

  private mutating func readEdits(_ box: Box) -> [MP4Track.Edit] {
    var edits: [MP4Track.Edit] = []
    var list = boxes(in: box.content)
    while let box = list.next(&damage) {
      guard box.type == .editList, edits.isEmpty else { continue }
      var reader = fields(of: box)
      let isWide = reader.read(8) == 1
      reader.skip(24)
      let count = reader.read(32)
      for _ in 0..<entryCount(count, entryBits: isWide ? 160 : 96, left: reader, in: box) {
        let duration = isWide ? reader.read64() : UInt64(reader.read(32))
        let mediaTime =
          isWide
          ? Int64(bitPattern: reader.read64()) : Int64(Int32(bitPattern: reader.read(32)))
        reader.skip(32)
        edits.append(MP4Track.Edit(duration: duration, mediaTime: mediaTime))
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
      let track = reader.read(32)
      reader.skip(32)
      let duration = reader.read(32)
      let size = reader.read(32)
      defaults.append(FragmentDefaults(track: track, duration: duration, size: size))
    }
  }
}

extension BitReader {
  /// Reads the next 64 bits.
  mutating func read64() -> UInt64 {
    let high = UInt64(read(32))
    return high << 32 | UInt64(read(32))
  }
}
