import AacornCodec

/// Reads M4A, MP4 and QuickTime files, fragmented or not, and requests the bytes it needs.
///
///     var reader = MP4Reader(byteCount: file.size)
///     while case .need(let offset, let count) = reader.step() {
///       reader.supply(file.read(count, at: offset))
///     }
///     // now reader.track, reader.sample(at: 0), reader.trim …
///
/// The reader reads only tables, never the audio. It records all damage in ``damage``. The
/// undamaged parts of the file remain usable.
public struct MP4Reader: Sendable {
  /// The next request of the reader.
  public enum Request: Equatable, Sendable {
    /// Requests these bytes for ``MP4Reader/supply(_:)``; fewer mean that the file ends there.
    case need(offset: UInt64, count: Int)
    /// No request: reading is complete.
    case ready
  }

  /// The kind of file according to `ftyp`.
  public private(set) var brand: FourCharacterCode?
  /// The first AAC track, or the requested one.
  public var track: MP4Track? { movie.track }
  /// The number of AAC tracks up to ``track``; of all AAC tracks if the requested one is missing.
  public var aacTrackCount: Int { movie.aacTrackCount }
  /// The number of other tracks.
  public var ignoredTrackCount: Int { movie.ignoredTrackCount }
  /// The tags and chapters, without the cover.
  public var tags: MP4Tags { movie.tags }
  /// The number of item list entries that were too long to keep.
  public var lostTagCount: Int { movie.lostTagCount }
  /// The file range of the cover image.
  public var coverImage: Range<UInt64>? { movie.coverImage }
  /// The numbers of the iTunSMPB tag.
  public var gaplessTag: GaplessTag? { movie.gaplessTag }
  /// The creation time, in seconds since the start of 1904; 0 if unknown.
  public var creationTime: UInt64 { movie.creationTime }
  /// The file offset of the movie box.
  public private(set) var movieOffset: UInt64?
  /// The length of the movie box in bytes.
  public private(set) var movieByteCount: UInt64 = 0
  /// The length of the empty box after the movie box that reserves room for a longer one.
  public private(set) var reservedByteCount: UInt64 = 0
  /// The file offset of the first media data box.
  public private(set) var mediaOffset: UInt64?
  /// The length of the header of the first media data box, 8 or 16.
  public private(set) var mediaHeaderByteCount = 8
  /// The length of the first media data box within the file, in bytes.
  public private(set) var mediaByteCount: UInt64 = 0
  /// Whether an empty box of eight bytes precedes the media, for a header with a 64-bit size.
  public private(set) var hasRoomForLongMedia = false
  /// The file offset of a second file, joined to the first one, whose boxes are not read.
  public private(set) var secondFileOffset: UInt64?
  /// The number of fragments.
  public private(set) var fragmentCount = 0
  /// The number of frames inside the file, counted up to the first one outside.
  public private(set) var completeUnitCount = 0

  /// The contents of the movie box, and of the fragments read up to now.
  private(set) var movie = MovieContents()

  private var fileByteCount: UInt64
  /// The number of the AAC track to read, from 1.
  private let wantedTrack: Int
  /// Whether the file is a pipe: its length is unknown, and the audio is read as it passes.
  private let isPiped: Bool
  private var fragmentDefaults: FragmentDefaults?
  private var damageLog = DamageLog()
  private var state = State.header
  /// The file offset of the box in progress, or of the next one.
  private var position: UInt64 = 0

  private enum State: Sendable {
    case header
    case content(Pending)
    /// A media box begins. Its frames must be read before the boxes after it.
    case paused
    /// All boxes are read, but not the chapter titles, which are outside the tables.
    case chapters
    case ready
  }

  /// A box whose bytes are being collected.
  private struct Pending: Sendable {
    var type: FourCharacterCode
    var contentOffset: UInt64
    var end: UInt64
    /// Whether the file ends before the end of the box.
    var isCut = false
    var bytes: [UInt8] = []

    var missing: UInt64 { end - contentOffset - UInt64(bytes.count) }
  }

  /// The maximum number of bytes per request, so that a box with a false length takes no memory.
  private static let pieceLimit: UInt64 = 1 << 20
  /// The maximum length of a movie box in bytes, enough for a week of audio.
  private static let movieLimit: UInt64 = 1 << 27
  /// The maximum length of a fragment header in bytes.
  private static let fragmentLimit: UInt64 = 1 << 24

  /// The maximum number of frames from a pipe, enough for days of audio.
  ///
  /// A pipe has no known length that would limit the tables.
  private static let pipedUnitLimit = 1 << 24

  /// Creates a reader for a file of a known length, which is verified only where bytes are requested.
  ///
  /// - Parameters:
  ///   - byteCount: The length of the file.
  ///   - track: The number of the AAC track to read, from 1; nil for the first one.
  public init(byteCount: UInt64, track: Int? = nil) {
    // No real file is longer, and offsets below this can be added without overflow.
    fileByteCount = min(byteCount, 1 << 62)
    wantedTrack = track ?? 1
    isPiped = false
  }

  /// Creates a reader for a file of unknown length, which reads the tables before the audio.
  ///
  /// At the audio, `step` returns `ready` and `isPaused` is true until `resume` is called.
  init(pipedTrack track: Int?) {
    fileByteCount = 1 << 62
    wantedTrack = track ?? 1
    isPiped = true
  }

  /// Reads a file in memory.
  public init(file: [UInt8]) {
    self.init(byteCount: UInt64(file.count))
    while case .need(let offset, let count) = step() {
      let start = Int(offset)
      supply(Array(file[start..<start + count]))
    }
  }

  /// The damage in the file, in order of detection.
  public var damage: [MP4Damage] { damageLog.entries }

  /// Whether the tables come before the audio.
  public var isMovieFirst: Bool {
    guard let movieOffset else { return false }
    return mediaOffset.map { movieOffset < $0 } ?? true
  }

  /// Whether the file has chapters whose titles were out of reach, as in a pipe.
  public var hasUnreadChapters: Bool {
    // An empty title for the time before the first chapter does not count.
    let start = tags.chapters.first?.start ?? 0
    return isPiped && movie.chapterTrack.count - (start > 0 ? 1 : 0) > tags.chapters.count
  }

  /// The number of frames.
  public var unitCount: Int { movie.samples.sizes.count }

  /// Returns the frame at `index`, or nil beyond the last one.
  public func sample(at index: Int) -> MP4Sample? { movie.samples.sample(at: index) }

  /// Returns the next request, repeated until its bytes are supplied.
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
      if let range = movie.chapterTrack.nextTitleRange(before: fileByteCount) {
        return .need(offset: range.offset, count: range.count)
      }
      movie.tags.chapters = movie.chapterTrack.completing(tags.chapters)
      state = .ready
      return .ready
    case .content(let pending):
      let count = min(pending.missing, Self.pieceLimit)
      return .need(offset: pending.contentOffset + UInt64(pending.bytes.count), count: Int(count))
    }
  }

  /// Whether the reader is paused at the audio until `resume` is called.
  var isPaused: Bool { if case .paused = state { true } else { false } }

  /// Resumes parsing after the media data.
  mutating func resume() {
    if isPaused { state = .header }
  }

  /// Supplies the requested bytes.
  public mutating func supply(_ bytes: [UInt8]) {
    guard case .need(let offset, let count) = step() else { return }
    if bytes.count < count {
      // The file is shorter than specified, so use the actual length.
      fileByteCount = offset + UInt64(bytes.count)
    }
    let bytes = bytes.count > count ? Array(bytes[..<count]) : bytes
    switch state {
    case .ready, .paused:
      break
    case .header:
      // The end of a pipe is only known here. Between boxes, it is not damage.
      if isPiped && bytes.isEmpty { return finish() }
      if bytes.count < count && !isPiped {
        damageLog.add(.truncated, offset: position, length: UInt64(count))
      }
      takeHeader(bytes)
    case .chapters:
      movie.chapterTrack.supply(bytes)
    case .content(var pending):
      state = .header
      pending.bytes += bytes
      if bytes.count < count {
        damageLog.add(.truncated, offset: position, length: pending.end - position)
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
      // Up to seven zero bytes at the end are padding, not damage.
      if !header.isTerminator || rest >= 8 {
        damageLog.add(rest < 8 ? .truncated : .invalidBoxSize, offset: position, length: rest)
      }
      return finish()
    }
    let size = header.size == 0 ? rest : header.size
    if size > rest { damageLog.add(.truncated, offset: position, length: size) }
    let pending = Pending(
      type: header.type, contentOffset: position + UInt64(header.byteCount),
      end: position + min(size, rest), isCut: size > rest)
    var limit: UInt64 = 0
    if header.type != .mediaData && mediaOffset == nil { hasRoomForLongMedia = false }
    switch header.type {
    case .fileType:
      limit = brand == nil ? 4096 : 0
      if brand != nil, movieOffset != nil { secondFileOffset = secondFileOffset ?? position }
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
    case .userDefined where pending.missing <= UInt64(RecordingMetadata.boxLimit):
      limit = UInt64(RecordingMetadata.boxLimit)
    default: break
    }
    if limit > 0, pending.missing > limit {
      damageLog.add(.boxTooLarge, offset: position, length: size)
      limit = 0
    }
    if limit > 0 {
      collect(pending)
    } else {
      position = pending.end
      if isPiped && header.type == .mediaData {
        state = .paused
        completeUnitCount = unitCount
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
      let code = reader.readCode()
      brand = reader.isOverrun ? nil : code
    case .movie: readMovie(pending)
    case .movieFragment: readFragment(pending)
    case .userDefined where !pending.isCut: movie.notes.append(box: pending.bytes)
    default: break
    }
    position = pending.end
  }

  private var unitLimit: Int { isPiped ? Self.pipedUnitLimit : TrackParameters.unitLimit }

  private mutating func readMovie(_ pending: Pending) {
    var parser = MovieParser(
      pending.bytes, fileOffset: pending.contentOffset, fileByteCount: fileByteCount,
      damage: damageLog)
    parser.wantedTrack = wantedTrack
    parser.unitLimit = unitLimit
    parser.parse()
    damageLog = parser.damage
    movie = parser.movie
    // Without fragment defaults, the tables list all frames. The fragments are left over from the
    // recording and list the same frames, so ignore them.
    guard let track, !movie.fragmentDefaults.isEmpty || movie.samples.sizes.isEmpty
    else { return }
    fragmentDefaults =
      movie.fragmentDefaults.first { $0.track == track.identifier }
      ?? FragmentDefaults(track: track.identifier, duration: 1024, size: 0)
  }

  private mutating func readFragment(_ pending: Pending) {
    guard let fragmentDefaults else {
      if movieOffset == nil {
        damageLog.add(.fragmentBeforeMovie, offset: position, length: pending.end - position)
      }
      return
    }
    // Move the table into the parser: copying it for each fragment, one per second of audio, would
    // be slow.
    var table = SampleTable()
    swap(&table, &movie.samples)
    var parser = FragmentParser(
      bytes: pending.bytes, fileOffset: pending.contentOffset, boxOffset: position,
      defaults: fragmentDefaults,
      sampleLimit: Int(min(fileByteCount, UInt64(unitLimit))), damage: damageLog,
      samples: consume table)
    parser.parse()
    damageLog = parser.damage
    movie.samples = parser.samples
    if parser.hasRollGroups { movie.track?.hasRollGroups = true }
  }

  private mutating func finish() {
    let mayAddDetails =
      movie.chapterTrack.count > tags.chapters.count
      || movie.chapterTrack.count > 0 && tags.chapters.contains { $0.mayBeShortened }
    // In a pipe, the titles have already passed, so they cannot be read.
    state = !isPiped && mayAddDetails ? .chapters : .ready
    if movieOffset == nil {
      damageLog.add(
        .missingMovie, offset: mediaOffset ?? 0,
        length: mediaOffset == nil ? fileByteCount : mediaByteCount)
    } else if track == nil {
      damageLog.add(.noAudioTrack, offset: movieOffset ?? 0, length: 0)
    }
    completeUnitCount = movie.samples.completeCount(before: fileByteCount)
    if let sample = sample(at: completeUnitCount) {
      damageLog.add(.sampleOutsideFile, offset: sample.offset, length: UInt64(sample.byteCount))
    }
  }
}
