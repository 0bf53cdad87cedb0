public import AacornCodec
import AacornSignal
import AacornSoundFiles

/// Reads the coded frames of a file of any kind that carries AAC, and asks for the bytes it needs.
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
/// What a file is shows in its content, behind ID3 and APE tags. Damage never stops the reading as
/// long as there may be frames. Memory does not grow with the file but for the tables of MP4.
public struct CodedFileReader: Sendable {
  /// What comes next.
  public enum Step: Equatable, Sendable {
    /// These bytes, to be passed to ``CodedFileReader/supply(_:)``; fewer means that the file ends
    /// there.
    ///
    /// Of a pipe, none is asked for twice, but some may be left out.
    case need(offset: UInt64, count: Int)
    /// What a decoder must know; comes before the first unit and when it changes.
    case configuration(AudioSpecificConfig)
    /// One coded frame.
    case unit(CodedUnit)
    /// Bytes that are no frames and were skipped, or units that are missing.
    case damage(StreamDamage)
    /// No more units.
    case end
  }

  private enum Stage: Sendable {
    case beginning
    case frames
    case blocks
    case packets
    case movie
  }

  private let track: Int?
  private let isPiped: Bool
  private var file: ReadAhead
  /// How many bytes of a stream are requested at once.
  private let pieceCount: Int
  private var stage = Stage.beginning
  private var failure: CodedFileError?
  /// What has been found and not been told.
  private var steps: [Step] = []
  private var nextStep = 0
  private var tagCount = 0
  /// Where the audio begins, or a tag before it.
  private var start: UInt64 = 0
  /// The first byte that no reader of a stream has got.
  private var position: UInt64 = 0
  private var isFinished = false

  @Boxed private var frames = FramedUnits()
  private var blocks = BlockUnits()
  @Boxed private var packets: TransportUnits? = nil
  @Boxed private var movieUnits: MovieUnits? = nil

  /// Tags that are passed over one by one; those behind them are left to the reader of frames.
  private static let tagLimit = 64
  /// How many bytes without a frame at the start are searched for one.
  private static let patience: UInt64 = 1 << 20

  /// A reader of a file of this many bytes.
  ///
  /// - Parameters:
  ///   - byteCount: The length of the file; nil for a pipe, whose length is unknown. MP4 then needs
  ///     its tables in front, and a change of `movie` with each fragment is to be expected.
  ///   - track: The number of the AAC track to read, from 1; nil is the first.
  public init(byteCount: UInt64?, track: Int? = nil) {
    self.track = track
    file = ReadAhead(byteCount: byteCount)
    // Live streams come slowly, and what was asked for is waited for.
    pieceCount = byteCount == nil ? 1 << 12 : 1 << 16
    isPiped = byteCount == nil
  }

  /// What kind of file it is, once known.
  public var kind: CodedFileKind? {
    switch stage {
    case .blocks: .adif
    case .packets: .transportStream
    case .movie: .mp4
    case .beginning, .frames: frames.kind
    }
  }

  /// MP4's tables, once read: trim, tags, damage.
  public var movie: MP4Reader? {
    guard let movieUnits, movieUnits.areTablesRead else { return nil }
    return movieUnits.reader
  }

  /// The next step; the same bytes are needed until they are supplied.
  ///
  /// - Throws: Why there is nothing to be read, again and again.
  public mutating func step() throws(CodedFileError) -> Step {
    if let failure { throw failure }
    do throws(CodedFileError) {
      return try advance()
    } catch {
      failure = error
      throw error
    }
  }

  /// Takes the requested bytes.
  public mutating func supply(_ bytes: [UInt8]) { file.supply(bytes) }

  /// Makes a unit of an MP4 file the next one; returns whether it exists and can be reached.
  ///
  /// Possible once the first unit has come. Bytes that were needed are not needed any longer.
  public mutating func seek(toUnit index: Int) -> Bool {
    guard failure == nil, movieUnits?.seek(toUnit: index) == true else { return false }
    file.cancel()
    return true
  }

  private mutating func advance() throws(CodedFileError) -> Step {
    while true {
      if nextStep < steps.count {
        nextStep += 1
        return steps[nextStep - 1]
      }
      steps.removeAll(keepingCapacity: true)
      nextStep = 0
      if let wanted = file.wanted { return .need(offset: wanted.offset, count: wanted.count) }
      switch stage {
      case .beginning: try recognize()
      case .movie: if let step = try _movieUnits.wrappedValue?.step(&file) { return step }
      case .frames, .blocks, .packets: try readStream()
      }
    }
  }

  /// Finds out what the file is, behind its tags.
  private mutating func recognize() throws(CodedFileError) {
    let count = PCMFileKind.longPrefixCount
    guard file.request(start, count: count, ahead: count) else { return }
    let head = file.copy(start, count: count)
    if tagCount < Self.tagLimit, let length = StreamTag.length(in: head) {
      tagCount += 1
      start += UInt64(length)
      position = start
      return
    }
    let kind = PCMFileKind(prefix: head.span)
    if MP4Reader.isPresent(in: head), start == 0 {
      stage = .movie
      movieUnits = MovieUnits(byteCount: isPiped ? nil : file.fileEnd, track: track)
      return
    }
    switch kind {
    case .other(.transportStream):
      stage = .packets
      packets = TransportUnits(track: track, base: start)
      return
    case .other(.adif): stage = .blocks
    case .other(.adts), .other(.loas), .other(.taggedWithID3): stage = .frames
    // Nothing at all is no stream of frames; anything else may begin in the middle of one.
    case .unknown where !head.isEmpty: stage = .frames
    case .unknown where tagCount > 0: throw .notAAC(.other(.taggedWithID3))
    default: throw .notAAC(kind)
    }
    if let track, track != 1 { throw .noAudioTrack(found: 1) }
  }

  /// Reads on in a stream, or requests more of it.
  private mutating func readStream() throws(CodedFileError) {
    // By their storage, which changes apart from the steps.
    let isAhead =
      switch stage {
      case .frames: _frames.wrappedValue.read(into: &steps)
      case .blocks: try blocks.read(into: &steps, base: start)
      default: try _packets.wrappedValue?.read(into: &steps) ?? false
      }
    if isAhead { return }
    if isFinished || stage == .blocks && blocks.isOver { return try end() }
    if stage == .frames, frames.kind == nil, position - start > Self.patience {
      throw .notAAC(.unknown)
    }
    guard file.request(position, count: 1, ahead: pieceCount) else { return }
    let bytes = file.copy(position)
    if bytes.isEmpty {
      isFinished = true
      frames.finish()
      blocks.finish()
      packets?.finish()
      return
    }
    switch stage {
    case .frames: frames.append(bytes, at: position)
    case .blocks: blocks.append(bytes)
    default: packets?.append(bytes)
    }
    position += UInt64(bytes.count)
  }

  private mutating func end() throws(CodedFileError) {
    if stage == .frames, frames.kind == nil { throw .notAAC(.unknown) }
    steps.append(.end)
  }
}
