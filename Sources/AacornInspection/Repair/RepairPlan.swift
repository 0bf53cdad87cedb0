public import AacornCodec
public import AacornContainers
public import AacornSignal

/// How to repair a file, in place or as a new one.
public struct RepairPlan: Sendable {
  /// The container format.
  public internal(set) var container: StreamReport.Container
  /// The stream's configuration; if it is stored in frames, that of the first one, completed by what
  /// only the frames tell of HE-AAC.
  public internal(set) var stream: AudioSpecificConfig?
  /// The number of frames in the result.
  public internal(set) var frameCount: Int
  /// How many of them are silence in place of unreadable frames.
  public internal(set) var silentFrameCount = 0
  /// What is cut from the decoded audio, if the container specifies it.
  ///
  /// The end of a recording that was cut off is not known, so all frames play.
  public internal(set) var trim: StreamTrim?
  /// Tracks other than the first AAC track; a new file does not have them.
  public internal(set) var otherTrackCount = 0
  /// What is left out, or replaced by silence.
  public internal(set) var losses = RepairLog()
  /// After so many places band replication refers to a frame that is missing in the result, so that
  /// its level may be wrong until the next header.
  public internal(set) var tornPlaceCount = 0
  /// When a recording was started, as written by its recorder.
  public internal(set) var started: String?
  /// The gap notes of a recording, which are kept.
  public internal(set) var gapEntries: [[UInt8]] = []
  /// The repair of the file itself; nil if only a new file is possible.
  public internal(set) var inPlace: InPlaceRepair?
  /// The steps that make a new file.
  public internal(set) var newFile: RepairedFile
}

/// The repair of a file in place: a truncation, or writes.
///
/// After any of the writes the file is no worse than before.
public struct InPlaceRepair: Sendable {
  /// The length to cut the file to.
  public internal(set) var truncation: UInt64?
  /// The writes, in order.
  public internal(set) var writes: MP4RecordingWriter.Finish?

  init(truncation: UInt64? = nil, writes: MP4RecordingWriter.Finish? = nil) {
    self.truncation = truncation
    self.writes = writes
  }

  /// A truncation, if any, and then these writes.
  package init(truncation: UInt64?, writes: [FileWrite]) {
    self.init(truncation: truncation, writes: MP4RecordingWriter.Finish(writes))
  }
}

/// The steps that make a new file out of a damaged one.
public struct RepairedFile: Sequence, IteratorProtocol, Sendable {
  /// A step.
  public enum Step: Equatable, Sendable {
    /// Append these bytes.
    case bytes([UInt8])
    /// Append these bytes of the damaged file.
    case copy(Range<UInt64>)
    /// Overwrite existing bytes, or append these.
    case patch(FileWrite)
  }

  private var start: [UInt8]
  private let parts: [FrameList.Part]
  private let silence: [UInt8]
  private var nextPart = 0
  /// Silent frames still missing from the last part.
  private var silentCount = 0
  private var finish: MP4Writer.Finish?

  /// Silent frames handed out at once.
  private static let silentPiece = 4096

  /// A file of frames, preceded by `start` and completed by the writes of `finish`.
  init(start: [UInt8], frames: FrameList, finish: MP4Writer.Finish) {
    self.start = start
    parts = frames.parts
    silence = frames.silence
    self.finish = finish
  }

  /// A file made of parts of another one, and then changed by writes.
  package init(parts: [Range<UInt64>], writes: [FileWrite] = []) {
    if !writes.isEmpty { finish = MP4Writer.Finish(writes) }
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
