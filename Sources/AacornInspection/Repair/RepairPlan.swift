public import AacornCodec
public import AacornContainers
public import AacornSignal

/// How a file can be made whole, in place or as a new one.
public struct RepairPlan: Sendable {
  /// What the frames are packed in.
  public internal(set) var container: StreamReport.Container
  /// The stream's configuration; that of the first frame, if frames say it.
  public internal(set) var stream: AudioSpecificConfig?
  /// Frames of the result.
  public internal(set) var frameCount: Int
  /// How many of them are silence in place of frames that cannot be read.
  public internal(set) var silentFrameCount = 0
  /// What is cut from the decoded sound, if the container tells it.
  ///
  /// The end of a recording that was cut off is not known, so all frames are played.
  public internal(set) var trim: Trim?
  /// Tracks besides the first one of AAC, which a new file does not have.
  public internal(set) var otherTrackCount = 0
  /// What is left out, and what gives place to silence.
  public internal(set) var losses = RepairLog()
  /// When a recording was started, in the words of its recorder.
  public internal(set) var started: String?
  /// The notes of a recording's gaps, which are kept.
  public internal(set) var gapEntries: [[UInt8]] = []
  /// What repairs the file itself; nil if only a new one can be made.
  public internal(set) var inPlace: InPlaceRepair?
  /// What makes a new file.
  public internal(set) var newFile: RepairedFile
}

/// What repairs a file itself: a cut, or writes.
///
/// After any of the writes the file is no worse than before.
public struct InPlaceRepair: Sendable {
  /// Where the file is to be cut off.
  public internal(set) var truncation: UInt64?
  /// What is to be written, in this order.
  public internal(set) var writes: MP4RecordingWriter.Finish?
}

/// The steps that make a new file out of a damaged one.
public struct RepairedFile: Sequence, IteratorProtocol, Sendable {
  /// A step.
  public enum Step: Equatable, Sendable {
    /// Append these bytes.
    case bytes([UInt8])
    /// Append these bytes of the damaged file.
    case copy(Range<UInt64>)
    /// Write over bytes that are there, or append them.
    case patch(FileWrite)
  }

  private var start: [UInt8]
  private let parts: [FrameList.Part]
  private let silence: [UInt8]
  private var nextPart = 0
  /// Frames of silence that the last part still lacks.
  private var silentCount = 0
  private var finish: MP4Writer.Finish?

  /// Frames of silence that are handed out at once.
  private static let silentPiece = 4096

  /// A file of frames, between bytes in front and writes at the end.
  init(start: [UInt8], frames: FrameList, finish: MP4Writer.Finish) {
    self.start = start
    parts = frames.parts
    silence = frames.silence
    self.finish = finish
  }

  /// A file of parts of another one.
  init(parts: [Range<UInt64>]) {
    start = []
    self.parts = parts.map { .file($0) }
    silence = []
  }

  /// The next step, or nil when the file is complete.
  public mutating func next() -> Step? {
    if !start.isEmpty {
      defer { start = [] }
      return .bytes(start)
    }
    if silentCount > 0 {
      let count = Swift.min(silentCount, Self.silentPiece)
      silentCount -= count
      var bytes: [UInt8] = []
      for _ in 0..<count { bytes += silence }
      return .bytes(bytes)
    }
    if nextPart < parts.count {
      nextPart += 1
      switch parts[nextPart - 1] {
      case .file(let range): return .copy(range)
      case .silence(let count):
        silentCount = count
        return next()
      }
    }
    return finish?.next().map { .patch($0) }
  }
}
