public import AacornDevices

/// How a recording is doing, at an instant.
public struct RecordingStatus: Sendable, Equatable {
  /// Samples recorded so far.
  public var sampleCount = 0
  /// Samples a second.
  public var sampleRate = 0
  /// Bytes of all files of the first output.
  public var byteCount = 0
  /// Entries of the ledger.
  public var gapCount = 0
  /// Those of lost sound; pauses are none of them.
  public var filledGapCount = 0
  /// Samples of silence that stand for lost sound.
  public var filledSampleCount = 0
  /// How much faster than its claim the device runs, in millionths.
  public var driftPartsPerMillion: Double?
  /// The highest sample of each channel since the status was last taken, 0…1 and above.
  public var peaks: [Float] = []
  /// Samples at full scale so far.
  public var clippedSampleCount = 0
  /// Whether it pauses.
  public var isPaused = false
  /// Whether it is muted.
  public var isMuted = false
  /// Whether the device is away.
  public var isDeviceLost = false
  /// The device in use.
  public var device: CaptureDevice?
  /// Whether it has ended.
  public var isStopped = false
}
