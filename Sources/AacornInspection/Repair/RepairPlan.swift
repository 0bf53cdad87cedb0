public import AacornCodec
public import AacornContainers
public import AacornSoundFiles

/// The repair of a file, in place or as a new file.
public struct RepairPlan: Sendable {
  /// The container format of the new file.
  public internal(set) var container: StreamReport.Container
  /// Whether the frames come from a transport stream, which the new file is not.
  public internal(set) var isFromTransportStream = false
  /// The stream's configuration, completed by HE-AAC extensions that only the frames signal.
  ///
  /// If the frames contain the configuration, it is taken from the first frame.
  public internal(set) var stream: AudioSpecificConfig?
  /// The number of frames in the result.
  public internal(set) var frameCount: Int
  /// The number of silent frames that replace unreadable ones.
  public internal(set) var silentFrameCount = 0
  /// The trim of the decoded audio, if the container specifies it.
  ///
  /// The end of a recording that was cut off is unknown, so all of its frames are played.
  public internal(set) var trim: StreamTrim?
  /// Whether the file is a recording by this package that was not completed.
  public internal(set) var isUnfinishedRecording = false
  /// The duration in seconds that the header states, which may exceed the recovered audio; nil if
  /// unknown.
  public internal(set) var statedDuration: Double?
  /// The number of tracks other than the first AAC track; a new file omits them.
  public internal(set) var ignoredTrackCount = 0
  /// The parts that are dropped or replaced by silence.
  public internal(set) var losses = RepairLog()
  /// The number of joints after which band replication refers to a missing frame.
  ///
  /// After such a joint, the level of the replicated frequencies may be wrong until the next
  /// header.
  public internal(set) var tornJointCount = 0
  /// The start time of a recording, as written by its recorder.
  public internal(set) var started: String?
  /// The gap entries of a recording, which are kept.
  public internal(set) var gapEntries: [[UInt8]] = []
  /// The repair of the file itself; nil if only a new file is possible.
  public internal(set) var inPlace: InPlaceRepair?
  /// The steps that create a new file.
  public internal(set) var newFile: RepairedFile
}

/// The repair of a file in place, by truncation or by writes.
///
/// After any of the writes, the file is no worse than before.
public struct InPlaceRepair: Sendable {
  /// The new length of the file in bytes; nil without a truncation.
  public internal(set) var truncation: UInt64?
  /// The writes, in order.
  public internal(set) var writes: MP4RecordingWriter.Finish?

  init(truncation: UInt64? = nil, writes: MP4RecordingWriter.Finish? = nil) {
    self.truncation = truncation
    self.writes = writes
  }

  /// Creates a repair by a truncation, if any, and then these writes.
  package init(truncation: UInt64?, writes: [FileWrite]) {
    self.init(truncation: truncation, writes: MP4RecordingWriter.Finish(writes))
  }
}

/// The steps that create a new file from a damaged one.
public struct RepairedFile: Sequence, IteratorProtocol, Sendable {
  /// A step of the repair.
  public enum Step: Equatable, Sendable {
    /// Append these bytes.
    case bytes([UInt8])
    /// Append these bytes of the damaged file.
    case copy(Range<UInt64>)
    /// Apply this write, which overwrites existing bytes or appends new ones.
    case patch(FileWrite)
  }

  private var start: [UInt8]
  private let parts: [FrameList.Part]
  private let silence: [UInt8]
  private var nextPart = 0
  /// The number of silent frames still to be returned for the last part.
  private var silentCount = 0
  private var finish: MP4Writer.Finish?

  /// The maximum number of silent frames per step.
  private static let silentPiece = 4096

  /// Creates a file of frames that begins with `start` and is completed by the writes of `finish`.
  init(start: [UInt8], frames: FrameList, finish: MP4Writer.Finish) {
    self.start = start
    parts = frames.parts
    silence = frames.silence
    self.finish = finish
  }

  /// Creates a file from parts of another one, followed by writes.
  package init(parts: [Range<UInt64>], writes: [FileWrite] = []) {
    if !writes.isEmpty { finish = MP4Writer.Finish(writes) }
    start = []
    self.parts = parts.map { .file($0) }
    silence = []
  }

  /// Returns the next step, or nil when the file is complete.
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
