import AacornCodec

/// Parses a `moov` box in memory.
struct MovieParser {
  let bytes: [UInt8]
  let fileOffset: UInt64
  /// The length of the file, which limits the counts in its tables.
  let fileByteCount: UInt64
  var damage: DamageLog

  /// The number of the AAC track to read, from 1.
  var wantedTrack = 1
  var unitLimit = TrackParameters.unitLimit

  /// The requested AAC track.
  var track: MP4Track?
  var samples = SampleTable()
  /// The number of tracks other than the requested track and its chapter track, including further
  /// AAC tracks.
  var ignoredTrackCount = 0
  /// The number of AAC tracks up to the requested one.
  var aacTrackCount = 0
  /// The codec of the first audio track that is not AAC.
  var foreignCodec: CodedFileError.Codec?
  var isEncrypted = false
  var hasSoundTrack = false
  var tags = MP4Tags()
  var coverImage: Range<UInt64>?
  var gaplessTag: GaplessTag?
  var chapterTrack = ChapterTrack()
  /// The number of bytes of the item list entries that are kept unchanged.
  var otherItemsByteCount = 0
  /// The number of item list entries that were too long to keep.
  var lostItemCount = 0
  /// The played parts, exact to the sample.
  var exactParts: ExactParts?
  var notes = RecordingMetadata()
  /// The defaults of fragments, for every track that has them.
  var defaults: [FragmentDefaults] = []
  /// The creation time, in seconds since the start of 1904.
  var creationTime: UInt64 = 0
  private var movieTimescale: UInt32 = 0
  /// The numbers of the tracks that may have chapter titles.
  private var chapterReferences: [UInt32] = []

  init(_ bytes: [UInt8], fileOffset: UInt64, fileByteCount: UInt64, damage: DamageLog) {
    self.bytes = bytes
    self.fileOffset = fileOffset
    self.fileByteCount = fileByteCount
    self.damage = damage
  }

  /// Parses the whole box.
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
      ignoredTrackCount += 1
      return
    }
    aacTrackCount += 1
    guard aacTrackCount == wantedTrack else {
      ignoredTrackCount += 1
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

  /// Reads the timescale of `mvhd` or `mdhd`, which have the same first fields.
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

  func readTrackIdentifier(_ box: Box) -> UInt32 {
    var reader = fields(of: box)
    let version = reader.read(8)
    reader.skip(24 + (version == 1 ? 128 : 64))
    return reader.read(32)
  }

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
