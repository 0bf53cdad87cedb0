import AacornCodec

/// Reads M4A, MP4 and QuickTime files, fragmented or not, and asks for the bytes it needs.
///
///     var reader = MP4Reader(byteCount: file.size)
///     while case .need(let offset, let count) = reader.step() {
///       reader.supply(file.read(count, at: offset))
///     }
///     // now reader.track, reader.sample(at: 0), reader.trim …
///
/// Only tables are read, never the audio. All damage ends up in ``damage``, and whatever could
/// still be read remains usable.
public struct MP4Reader: Sendable {
  /// What the reader wants next.
  public enum Request: Equatable, Sendable {
    /// These bytes, to be passed to ``MP4Reader/supply(_:)``; fewer means that the file ends there.
    case need(offset: UInt64, count: Int)
    /// Nothing; reading is complete.
    case ready
  }

  /// The kind of file according to `ftyp`.
  public private(set) var brand: FourCharacterCode?
  /// The first AAC track, or the one asked for.
  public private(set) var track: MP4Track?
  /// The AAC tracks up to and including it; all of them if the one asked for is missing.
  public private(set) var aacTrackCount = 0
  /// The number of other tracks.
  public private(set) var otherTrackCount = 0
  /// The tags and chapters, without the cover.
  public private(set) var tags = MP4Tags()
  /// Entries of the item list that were too long to keep.
  public private(set) var lostTagCount = 0
  /// Where the cover image is in the file.
  public private(set) var coverImage: Range<UInt64>?
  /// The numbers of the iTunSMPB tag.
  public private(set) var gaplessTag: GaplessTag?
  /// The parts to the sample, where the edit list's ticks are coarser.
  private(set) var exactParts: ExactParts?
  /// What a recording by this package says about itself.
  var notes = RecordingNotes()
  /// When the file was made, in seconds since the start of 1904; 0 if unknown.
  public private(set) var creationTime: UInt64 = 0
  /// Where the movie box begins.
  public private(set) var movieOffset: UInt64?
  /// The length of the movie box.
  public private(set) var movieByteCount: UInt64 = 0
  /// The length of the empty box after the movie box that reserves room for a longer one.
  public private(set) var reservedByteCount: UInt64 = 0
  /// Where the first media data box begins.
  public private(set) var mediaOffset: UInt64?
  /// The length of the header of the first media data box, 8 or 16.
  public private(set) var mediaHeaderByteCount = 8
  /// The length of the first media data box, as far as the file contains it.
  public private(set) var mediaByteCount: UInt64 = 0
  /// Whether an empty box of eight bytes precedes the media, for a header with a 64-bit size.
  public private(set) var hasRoomForLongMedia = false
  /// How many fragments there are.
  public private(set) var fragmentCount = 0
  /// Frames that lie within the file, counted up to the first one that does not.
  public private(set) var completeSampleCount = 0

  /// Audio that is not AAC, if no track was found before it.
  private(set) var foreignCodec: CodedFileError.Codec?
  /// Whether there is a track of sound of any kind.
  private(set) var hasSoundTrack = false
  /// Whether the tables say that fragments follow.
  private(set) var hasFragmentDescription = false
  /// Whether there is an encrypted track.
  private(set) var isEncrypted = false

  private var fileByteCount: UInt64
  /// The number of the track to read, from 1 among those of AAC.
  private let wantedTrack: Int
  /// Whether the file comes from a pipe: its length is unknown, and audio is read as it passes.
  private let isPiped: Bool
  /// The places and times of the frames.
  private(set) var samples = SampleTable()
  private var chapterTrack = ChapterTrack()
  private var fragmentDefaults: FragmentDefaults?
  private var log = DamageLog()
  private var state = State.header
  /// Where the box in progress, or the next one, begins.
  private var position: UInt64 = 0

  private enum State: Sendable {
    case header
    case content(Pending)
    /// A box of media begins, whose frames are to be read before what follows it.
    case paused
    /// Everything is read but names of chapters, which are outside the tables.
    case chapters
    case ready
  }

  /// A box being collected.
  private struct Pending: Sendable {
    var type: FourCharacterCode
    var contentOffset: UInt64
    var end: UInt64
    /// Whether the file ends before the box does.
    var isCut = false
    var bytes: [UInt8] = []

    /// Bytes still missing.
    var missing: UInt64 { end - contentOffset - UInt64(bytes.count) }
  }

  /// The most requested at once; what a box claims costs memory only as it actually arrives.
  private static let pieceLimit: UInt64 = 1 << 20
  /// The longest movie box; it has room for a week of audio.
  private static let movieLimit: UInt64 = 1 << 27
  /// The longest fragment header.
  private static let fragmentLimit: UInt64 = 1 << 24

  /// The most frames of a file from a pipe, days of audio: no length confirms what tables claim.
  private static let pipedUnitLimit = 1 << 24

  /// A reader for a file of this many bytes; the size is trusted where nothing has to be read.
  ///
  /// - Parameters:
  ///   - byteCount: The length of the file.
  ///   - track: The number of the track to read, from 1 among those of AAC; nil is the first.
  public init(byteCount: UInt64, track: Int? = nil) {
    // No real file is longer, and offsets below this can be added without overflow.
    fileByteCount = min(byteCount, 1 << 62)
    wantedTrack = track ?? 1
    isPiped = false
  }

  /// A reader for a file of unknown length, whose tables are read as far as they precede the audio.
  ///
  /// Where audio begins, `step` returns `ready` and `isPaused` is true until `resume` is called.
  init(pipedTrack track: Int?) {
    fileByteCount = 1 << 62
    wantedTrack = track ?? 1
    isPiped = true
  }

  /// Whether a file begins like this: with one of the boxes of MP4, M4A or QuickTime.
  package static func isPresent(in firstBytes: [UInt8]) -> Bool {
    guard firstBytes.count >= 8 else { return false }
    var type: UInt32 = 0
    for byte in firstBytes[4..<8] { type = type << 8 | UInt32(byte) }
    switch FourCharacterCode(rawValue: type) {
    case .fileType, .movie, .mediaData, .free, .skip, .wide, .segmentType, .segmentIndex,
      .movieFragment:
      return true
    default: return false
    }
  }

  /// Reads a file in memory.
  public init(file: [UInt8]) {
    self.init(byteCount: UInt64(file.count))
    while case .need(let offset, let count) = step() {
      let start = Int(offset)
      supply(Array(file[start..<start + count]))
    }
  }

  /// The damage in the file, in the order in which it was found.
  public var damage: [MP4Damage] { log.entries }

  /// Whether the tables come before the audio.
  public var isMovieFirst: Bool {
    guard let movieOffset else { return false }
    return mediaOffset.map { movieOffset < $0 } ?? true
  }

  /// Whether there are chapters whose names were out of reach, as in a pipe.
  public var lacksChapters: Bool {
    // A name that stands for the time before the first chapter is none.
    let start = tags.chapters.first?.start ?? 0
    return isPiped && chapterTrack.count - (start > 0 ? 1 : 0) > tags.chapters.count
  }

  /// The number of frames.
  public var sampleCount: Int { samples.sizes.count }

  /// The gap notes of a recording, each a JSON object, in chronological order.
  public var gapEntries: [[UInt8]] { notes.gapEntries }

  /// When a recording was started, as written by its recorder.
  public var started: String? { notes.startText }

  /// The frame at `index`, or nil beyond the last one.
  public func sample(at index: Int) -> MP4Sample? { samples.sample(at: index) }

  /// What the reader needs before it can continue; the same until it is supplied.
  public mutating func step() -> Request {
    switch state {
    case .ready, .paused:
      return .ready
    case .header:
      if position < fileByteCount {
        return .need(offset: position, count: Int(min(16, fileByteCount - position)))
      }
      finish()
      return step()
    case .chapters:
      if let place = chapterTrack.place(before: fileByteCount) {
        return .need(offset: place.offset, count: place.count)
      }
      tags.chapters = chapterTrack.completing(tags.chapters)
      state = .ready
      return .ready
    case .content(let pending):
      let count = min(pending.missing, Self.pieceLimit)
      return .need(offset: pending.contentOffset + UInt64(pending.bytes.count), count: Int(count))
    }
  }

  /// Whether audio begins here, and reading goes on with `resume`.
  var isPaused: Bool { if case .paused = state { true } else { false } }

  /// Goes on behind the audio.
  mutating func resume() {
    if isPaused { state = .header }
  }

  /// Takes the requested bytes.
  public mutating func supply(_ bytes: [UInt8]) {
    guard case .need(let offset, let count) = step() else { return }
    if bytes.count < count {
      // The file is shorter than announced.
      fileByteCount = offset + UInt64(bytes.count)
    }
    let bytes = bytes.count > count ? Array(bytes[..<count]) : bytes
    switch state {
    case .ready, .paused:
      break
    case .header:
      // Only here the end of a pipe is known, and no harm is done if it comes between boxes.
      if isPiped && bytes.isEmpty { return finish() }
      if bytes.count < count && !isPiped {
        log.add(.truncated, offset: position, length: UInt64(count))
      }
      takeHeader(bytes)
    case .chapters:
      chapterTrack.take(bytes)
    case .content(var pending):
      state = .header
      pending.bytes += bytes
      if bytes.count < count {
        log.add(.truncated, offset: position, length: pending.end - position)
        pending.end = fileByteCount
        pending.isCut = true
      }
      collect(pending)
    }
  }

  private mutating func takeHeader(_ bytes: [UInt8]) {
    let header = BoxHeader(bytes, at: 0, limit: bytes.count)
    let rest = fileByteCount - position
    guard header.isValid, header.type.rawValue != 0 else {
      // A few zeros that pad a file are not a box, but do no harm.
      if !header.isTerminator || rest >= 8 {
        log.add(rest < 8 ? .truncated : .invalidBoxSize, offset: position, length: rest)
      }
      return finish()
    }
    let size = header.size == 0 ? rest : header.size
    if size > rest { log.add(.truncated, offset: position, length: size) }
    let pending = Pending(
      type: header.type, contentOffset: position + UInt64(header.byteCount),
      end: position + min(size, rest), isCut: size > rest)
    var limit: UInt64 = 0
    if header.type != .mediaData && mediaOffset == nil { hasRoomForLongMedia = false }
    switch header.type {
    case .fileType: limit = brand == nil ? 4096 : 0
    case .movie where movieOffset == nil:
      movieOffset = position
      movieByteCount = pending.end - position
      limit = Self.movieLimit
    case .free where mediaOffset == nil:
      if let movieOffset, movieOffset + movieByteCount == position, header.byteCount == 8,
        !pending.isCut
      {
        reservedByteCount = pending.end - position
      }
      hasRoomForLongMedia = size == 8
    case .movieFragment where fragmentDefaults != nil || track == nil:
      fragmentCount += 1
      limit = Self.fragmentLimit
    case .mediaData where mediaOffset == nil:
      mediaOffset = position
      mediaHeaderByteCount = header.byteCount
      mediaByteCount = pending.end - position
    case .userDefined where pending.missing <= UInt64(RecordingNotes.boxLimit):
      limit = UInt64(RecordingNotes.boxLimit)
    default: break
    }
    if limit > 0, pending.missing > limit {
      log.add(.boxTooLarge, offset: position, length: size)
      limit = 0
    }
    if limit > 0 {
      collect(pending)
    } else {
      position = pending.end
      if isPiped && header.type == .mediaData {
        state = .paused
        completeSampleCount = sampleCount
      }
    }
  }

  /// Continues collecting a box, or reads it if it is complete.
  private mutating func collect(_ pending: Pending) {
    if pending.missing > 0 {
      state = .content(pending)
      return
    }
    switch pending.type {
    case .fileType:
      var reader = BitReader(pending.bytes)
      let code = reader.read(32)
      brand = reader.isOverrun ? nil : FourCharacterCode(rawValue: code)
    case .movie: readMovie(pending)
    case .movieFragment: readFragment(pending)
    case .userDefined where !pending.isCut: notes.append(box: pending.bytes)
    default: break
    }
    position = pending.end
  }

  private var unitLimit: Int { isPiped ? Self.pipedUnitLimit : TrackParameters.unitLimit }

  private mutating func readMovie(_ pending: Pending) {
    var parser = MovieParser(
      pending.bytes, fileOffset: pending.contentOffset, fileByteCount: fileByteCount, damage: log)
    parser.wantedTrack = wantedTrack
    parser.unitLimit = unitLimit
    parser.parse()
    log = parser.damage
    track = parser.track
    aacTrackCount = parser.aacTrackCount
    foreignCodec = parser.foreignCodec
    hasSoundTrack = parser.hasSoundTrack
    hasFragmentDescription = !parser.defaults.isEmpty
    isEncrypted = parser.isEncrypted
    samples = parser.samples
    otherTrackCount = parser.otherTrackCount
    tags = parser.tags
    coverImage = parser.coverImage
    notes = parser.notes
    creationTime = parser.creationTime
    gaplessTag = parser.gaplessTag
    exactParts = parser.exactParts
    chapterTrack = parser.chapterTrack
    lostTagCount = parser.lostItemCount
    // Where the tables are complete, fragments are left over from a recording in progress.
    guard let track, !parser.defaults.isEmpty || samples.sizes.isEmpty else { return }
    fragmentDefaults =
      parser.defaults.first { $0.track == track.identifier }
      ?? FragmentDefaults(track: track.identifier, duration: 1024, size: 0)
  }

  private mutating func readFragment(_ pending: Pending) {
    guard let fragmentDefaults else {
      if movieOffset == nil {
        log.add(.fragmentBeforeMovie, offset: position, length: pending.end - position)
      }
      return
    }
    // The table is moved, not copied: there is a fragment for every second of audio.
    var table = SampleTable()
    swap(&table, &samples)
    var parser = FragmentParser(
      bytes: pending.bytes, fileOffset: pending.contentOffset, boxOffset: position,
      defaults: fragmentDefaults,
      sampleLimit: Int(min(fileByteCount, UInt64(unitLimit))), damage: log,
      samples: consume table)
    parser.parse()
    log = parser.damage
    samples = parser.samples
    if parser.hasRollGroups { track?.hasRollGroups = true }
  }

  private mutating func finish() {
    let mayKnowMore =
      chapterTrack.count > tags.chapters.count
      || chapterTrack.count > 0 && tags.chapters.contains { $0.mayBeShortened }
    // A pipe has passed them.
    state = !isPiped && mayKnowMore ? .chapters : .ready
    if movieOffset == nil {
      log.add(
        .missingMovie, offset: mediaOffset ?? 0,
        length: mediaOffset == nil ? fileByteCount : mediaByteCount)
    } else if track == nil {
      log.add(.noAudioTrack, offset: movieOffset ?? 0, length: 0)
    }
    completeSampleCount = samples.completeCount(before: fileByteCount)
    if let sample = sample(at: completeSampleCount) {
      log.add(.sampleOutsideFile, offset: sample.offset, length: UInt64(sample.byteCount))
    }
  }
}
