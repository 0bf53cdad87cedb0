public import AacornCodec
import AacornSignal
import AacornSoundFiles

/// Reads the coded frames of a file of any supported format, and requests the bytes it needs.
///
///     var reader = CodedFileReader(byteCount: file.size)
///     loop: while true {
///       switch try reader.step() {
///       case .need(let offset, let count): reader.supply(file.read(count, at: offset))
///       case .configuration(let configuration): …
///       case .unit(let unit): …
///       case .damage(let damage): …
///       case .end: break loop
///       }
///     }
///
/// The format is recognized by the content after ID3 and APE tags. Damage does not stop the reader
/// while more frames may follow. Memory does not grow with the file, except for the tables of MP4.
public struct CodedFileReader: Sendable {
  /// The result of a step.
  public enum Step: Equatable, Sendable {
    /// A request for these bytes, to be passed to ``CodedFileReader/supply(_:)``.
    ///
    /// Supplying fewer bytes means that the file ends there. No byte of a pipe is requested twice,
    /// but some may be skipped.
    case need(offset: UInt64, count: Int)
    /// The decoder's configuration, before the first unit and at every change.
    case configuration(AudioSpecificConfig)
    /// One coded frame.
    case unit(CodedUnit)
    /// Skipped bytes that do not belong to a frame, or missing units.
    case damage(StreamDamage)
    /// The end of the units.
    case end
  }

  private enum Stage: Sendable {
    case beginning
    case stream
    case movie
  }

  private let track: Int?
  private let isPiped: Bool
  private var file: ReadAhead
  /// The number of bytes of a stream to request at a time.
  private let pieceByteCount: Int
  private var stage = Stage.beginning
  private var failure: CodedFileError?
  private var steps = PendingItems<Step>()
  /// The offset of the audio, or of a tag before it.
  private var start: UInt64 = 0
  /// The offset of the first byte not yet passed to a stream reader.
  private var position: UInt64 = 0
  private var isFinished = false

  @Boxed private var units: FramedUnits
  @Boxed private var movieUnits: MovieUnits? = nil

  /// Creates a reader of a file.
  ///
  /// - Parameters:
  ///   - byteCount: The length of the file; nil for a pipe, whose length is unknown. An MP4 file
  ///     from a pipe must have its tables before the audio, and `movie` may change with each
  ///     fragment.
  ///   - track: The number of the AAC track to read, counted from 1; nil for the first one.
  public init(byteCount: UInt64?, track: Int? = nil) {
    self.track = track
    units = FramedUnits(.frames, at: 0, track: nil)
    file = ReadAhead(byteCount: byteCount)
    // A pipe may be a live stream, which arrives slowly, and the caller waits until all requested
    // bytes have arrived. So it is read in smaller pieces.
    pieceByteCount = byteCount == nil ? 1 << 12 : 1 << 16
    isPiped = byteCount == nil
  }

  /// The format of the file, once known.
  public var kind: CodedFileKind? {
    stage == .movie ? .mp4 : units.kind
  }

  /// The MP4 tables, once read: trim, tags, damage.
  public var movie: MP4Reader? {
    guard let movieUnits, movieUnits.areTablesRead else { return nil }
    return movieUnits.reader
  }

  /// Returns the next step.
  ///
  /// A request is repeated until its bytes are supplied.
  ///
  /// - Throws: The reason why the file cannot be read; again on each further call.
  public mutating func step() throws(CodedFileError) -> Step {
    if let failure { throw failure }
    do throws(CodedFileError) {
      return try advance()
    } catch {
      failure = error
      throw error
    }
  }

  /// Supplies the requested bytes.
  public mutating func supply(_ bytes: [UInt8]) { file.supply(bytes) }

  /// Seeks to a unit of an MP4 file; returns whether it exists and can be reached.
  ///
  /// Possible after the first unit has been returned. Cancels pending requests.
  public mutating func seek(toUnit index: Int) -> Bool {
    guard failure == nil, movieUnits?.seek(toUnit: index) == true else { return false }
    file.cancel()
    return true
  }

  private mutating func advance() throws(CodedFileError) -> Step {
    while true {
      if let step = steps.take() { return step }
      if let wanted = file.wanted { return .need(offset: wanted.offset, count: wanted.count) }
      switch stage {
      case .beginning: try recognize()
      case .movie: if let step = try _movieUnits.wrappedValue?.step(&file) { return step }
      case .stream: try readStream()
      }
    }
  }

  /// Recognizes the format of the file after its tags.
  private mutating func recognize() throws(CodedFileError) {
    let count = FileKind.longPrefixCount
    guard file.request(start, count: count, ahead: count) else { return }
    let head = file.copy(start, count: count)
    let tagByteCount = StreamTag.totalByteCount(head.span)
    if tagByteCount > 0 {
      start += UInt64(tagByteCount)
      position = start
      return
    }
    let kind = FileKind(prefix: head.span)
    switch kind {
    // The offsets in its tables do not count a tag before the first box.
    case .other(.mp4) where start == 0:
      stage = .movie
      movieUnits = MovieUnits(byteCount: isPiped ? nil : file.fileEnd, track: track)
      return
    case .other(.transportStream): return begin(.packets)
    case .other(.adif): begin(.blocks)
    case .other(.adts), .other(.loas), .other(.taggedWithID3): begin(.frames)
    // An empty file is not a stream of frames. Any other content may start in the middle of a
    // frame.
    case .unknown where !head.isEmpty: begin(.frames)
    case .unknown where start > 0: throw .notAAC(.other(.taggedWithID3))
    default: throw .notAAC(kind)
    }
    if let track, track != 1 { throw .noAudioTrack(found: 1) }
  }

  private mutating func begin(_ format: FrameSource.Format) {
    stage = .stream
    units = FramedUnits(format, at: start, track: track)
  }

  /// Reads from a stream, or requests more bytes of it.
  private mutating func readStream() throws(CodedFileError) {
    // Use the storage of the `@Boxed` property, because a change of `self` would conflict with
    // passing `steps` inout.
    if try _units.wrappedValue.read(into: &steps.list) { return }
    if isFinished || units.isStopped { return try end() }
    let limit = FrameSource.searchByteLimit(isPiped: isPiped)
    if units.kind == nil, position - start > UInt64(limit) {
      throw .notAAC(.unknown)
    }
    guard file.request(position, count: 1, ahead: pieceByteCount) else { return }
    let bytes = file.copy(position)
    if bytes.isEmpty {
      isFinished = true
      units.finish()
      return
    }
    units.append(bytes)
    position += UInt64(bytes.count)
  }

  private mutating func end() throws(CodedFileError) {
    if units.kind == nil { throw .notAAC(.unknown) }
    steps.list.append(.end)
  }
}
