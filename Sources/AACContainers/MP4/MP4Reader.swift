public import AACFormat

/// Reads M4A, MP4 and QuickTime files, also fragmented ones, and asks for the bytes it needs.
///
///     var reader = MP4Reader(byteCount: file.size)
///     while case .need(let offset, let count) = reader.step() {
///       reader.supply(file.read(count, at: offset))
///     }
///     // now reader.track, reader.sample(at: 0), reader.trim …
///
/// Only tables are read, never the sound. Whatever is wrong with a file ends up in ``damage``, and
/// what could be read in spite of it can be used.
public struct MP4Reader: Sendable {
  /// What the reader wants next.
  public enum Request: Equatable, Sendable {
    /// These bytes, given to ``MP4Reader/supply(_:)``; fewer mean that the file ends there.
    case need(offset: UInt64, count: Int)
    /// Nothing; all that there is to know is known.
    case ready
  }

  /// What kind of file it says it is, from `ftyp`.
  public private(set) var brand: FourCharacterCode?
  /// The first AAC track.
  public private(set) var track: MP4Track?
  /// How many tracks there are besides.
  public private(set) var otherTrackCount = 0
  /// The tags, without the cover.
  public private(set) var tags = MP4Tags()
  /// Where the cover image is in the file.
  public private(set) var coverImage: Range<UInt64>?
  /// The numbers of the iTunSMPB tag.
  public private(set) var gaplessTag: GaplessTag?
  /// Where the movie box begins.
  public private(set) var movieOffset: UInt64?
  /// Where the first media data box begins.
  public private(set) var mediaOffset: UInt64?
  /// How many fragments there are.
  public private(set) var fragmentCount = 0
  /// Frames that lie within the file, counted from the first one up to the first that does not.
  public private(set) var completeSampleCount = 0

  private var fileByteCount: UInt64
  private var samples = SampleTable()
  private var fragmentDefaults: FragmentDefaults?
  private var mediaByteCount: UInt64 = 0
  private var log = DamageLog()
  private var state = State.header
  /// Where the box in progress, or the next one, begins.
  private var position: UInt64 = 0

  private enum State: Sendable {
    case header
    case content(Pending)
    case ready
  }

  /// A box that is being collected.
  private struct Pending: Sendable {
    var type: FourCharacterCode
    var contentOffset: UInt64
    var end: UInt64
    var bytes: [UInt8] = []

    /// Bytes still missing.
    var missing: UInt64 { end - contentOffset - UInt64(bytes.count) }
  }

  /// The most that is asked for at once; what a box claims costs memory only as it really comes.
  private static let pieceLimit: UInt64 = 1 << 20
  /// The longest movie box; it has room for a week of sound.
  private static let movieLimit: UInt64 = 1 << 27
  /// The longest fragment header.
  private static let fragmentLimit: UInt64 = 1 << 24

  /// A reader for a file of this many bytes; it is believed where nothing has to be read.
  public init(byteCount: UInt64) {
    // Nothing real is longer, and offsets below this can be added without overflow.
    fileByteCount = min(byteCount, 1 << 62)
  }

  /// Reads a file that is in memory.
  public init(file: [UInt8]) {
    self.init(byteCount: UInt64(file.count))
    while case .need(let offset, let count) = step() {
      let start = Int(offset)
      supply(Array(file[start..<start + count]))
    }
  }

  /// What was wrong with the file, in the order in which it was found.
  public var damage: [MP4Damage] { log.entries }

  /// Whether the tables come before the sound.
  public var isMovieFirst: Bool {
    guard let movieOffset else { return false }
    return mediaOffset.map { movieOffset < $0 } ?? true
  }

  /// The number of frames.
  public var sampleCount: Int { samples.sizes.count }

  /// The frame at `index`, or nil beyond the last one.
  public func sample(at index: Int) -> MP4Sample? { samples.sample(at: index) }

  /// What the reader needs before it can go on; the same until it is supplied.
  public mutating func step() -> Request {
    switch state {
    case .ready:
      return .ready
    case .header:
      if position < fileByteCount {
        return .need(offset: position, count: Int(min(16, fileByteCount - position)))
      }
      finish()
      return .ready
    case .content(let pending):
      let count = min(pending.missing, Self.pieceLimit)
      return .need(offset: pending.contentOffset + UInt64(pending.bytes.count), count: Int(count))
    }
  }

  /// Takes the bytes that were asked for.
  public mutating func supply(_ bytes: [UInt8]) {
    guard case .need(let offset, let count) = step() else { return }
    if bytes.count < count {
      // The file is shorter than announced.
      fileByteCount = offset + UInt64(bytes.count)
    }
    let bytes = bytes.count > count ? Array(bytes[..<count]) : bytes
    switch state {
    case .ready:
      break
    case .header:
      if bytes.count < count { log.add(.truncated, offset: position, length: UInt64(count)) }
      takeHeader(bytes)
    case .content(var pending):
      state = .header
      pending.bytes += bytes
      if bytes.count < count {
        log.add(.truncated, offset: position, length: pending.end - position)
        pending.end = fileByteCount
      }
      collect(pending)
    }
  }

  private mutating func takeHeader(_ bytes: [UInt8]) {
    let header = BoxHeader(bytes, at: 0, limit: bytes.count)
    let rest = fileByteCount - position
    guard header.isValid, header.type.rawValue != 0 else {
      // A few zeros that fill a file up are no box, but no harm either.
      if !header.isTerminator || rest >= 8 {
        log.add(rest < 8 ? .truncated : .invalidBoxSize, offset: position, length: rest)
      }
      return finish()
    }
    let size = header.size == 0 ? rest : header.size
    if size > rest { log.add(.truncated, offset: position, length: size) }
    let pending = Pending(
      type: header.type, contentOffset: position + UInt64(header.byteCount),
      end: position + min(size, rest))
    var limit: UInt64 = 0
    switch header.type {
    case .fileType: limit = brand == nil ? 4096 : 0
    case .movie where movieOffset == nil:
      movieOffset = position
      limit = Self.movieLimit
    case .movieFragment:
      fragmentCount += 1
      limit = Self.fragmentLimit
    case .mediaData where mediaOffset == nil:
      mediaOffset = position
      mediaByteCount = pending.end - position
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
    }
  }

  /// Goes on collecting a box, or reads it if it is complete.
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
    default: break
    }
    position = pending.end
  }

  private mutating func readMovie(_ pending: Pending) {
    var parser = MovieParser(
      pending.bytes, fileOffset: pending.contentOffset, fileByteCount: fileByteCount, damage: log)
    parser.parse()
    log = parser.damage
    track = parser.track
    samples = parser.samples
    otherTrackCount = parser.otherTrackCount
    tags = parser.tags
    coverImage = parser.coverImage
    gaplessTag = parser.gaplessTag
    guard let track else { return }
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
    // The tables are moved, not copied: there is a fragment for every second of sound.
    var table = SampleTable()
    swap(&table, &samples)
    var parser = FragmentParser(
      bytes: pending.bytes, fileOffset: pending.contentOffset, boxOffset: position,
      defaults: fragmentDefaults,
      sampleLimit: Int(min(fileByteCount, UInt64(TrackParameters.unitLimit))), damage: log,
      samples: consume table)
    parser.parse()
    log = parser.damage
    samples = parser.samples
    if parser.hasRollGroups { track?.hasRollGroups = true }
  }

  private mutating func finish() {
    state = .ready
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

extension MP4Reader {
  /// What to cut from the decoded track, or nil if the file says nothing about it.
  ///
  /// An edit list counts more than the iTunSMPB tag, except where it counts in coarser ticks than
  /// samples or skips nothing.
  public var trim: Trim? {
    guard let track, let duration = samples.firstDuration else { return nil }
    let total = UInt64(sampleCount) &* UInt64(duration)
    let played = track.edits.filter { $0.mediaTime >= 0 }
    if played.count == 1, track.timescale > 0, track.movieTimescale > 0,
      gaplessTag == nil
        || track.movieTimescale % track.timescale == 0 && played[0].mediaTime > 0
    {
      let edit = played[0]
      let priming = min(UInt64(edit.mediaTime), total)
      var valid = Self.rescale(edit.duration, from: track.movieTimescale, to: track.timescale)
      // Without a duration the edit lasts as long as the frames do, and also where its clock is
      // too coarse to tell: many writers count the movie in milliseconds and shorten the last
      // frame exactly.
      let untilEnd = samples.endTime - min(priming, samples.endTime)
      let tick = UInt64(track.timescale / track.movieTimescale)
      let difference = max(valid, untilEnd) - min(valid, untilEnd)
      if edit.duration == 0
        || tick > 0 && track.timescale != track.movieTimescale
          && difference <= tick + 1
      {
        valid = untilEnd
      }
      return Self.trim(priming: priming, valid: valid, total: total)
    }
    guard let tag = gaplessTag else { return nil }
    return Self.trim(
      priming: min(UInt64(tag.priming), total), valid: tag.validCount, total: total)
  }

  private static func trim(priming: UInt64, valid: UInt64, total: UInt64) -> Trim? {
    let valid = min(valid, total - priming)
    guard let priming = Int(exactly: priming), let count = Int(exactly: valid),
      let total = Int(exactly: total)
    else { return nil }
    return Trim(priming: priming, remainder: total - priming - count, sampleCount: count)
  }

  private static func rescale(_ time: UInt64, from: UInt32, to: UInt32) -> UInt64 {
    let (seconds, rest) = time.quotientAndRemainder(dividingBy: UInt64(from))
    return seconds &* UInt64(to) &+ rest &* UInt64(to) / UInt64(from)
  }
}
