public import AacornCodec

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
