public import AacornDevices

/// The momentary state of a recording.
public struct RecordingStatus: Sendable, Equatable {
  /// Samples recorded so far.
  public var sampleCount = 0
  /// Samples per second.
  public var sampleRate = 0
  /// Bytes of all files of the first output.
  public var byteCount = 0
  /// Entries of the ledger.
  public var gapCount = 0
  /// Entries for lost audio; pauses do not count.
  public var filledGapCount = 0
  /// Samples of silence in place of lost audio.
  public var filledSampleCount = 0
  /// How much faster than its nominal rate the device runs, in millionths.
  public var driftPartsPerMillion: Double?
  /// The highest sample of each channel since the last status, 0…1 and above.
  public var peaks: [Float] = []
  /// Samples at full scale so far.
  public var clippedSampleCount = 0
  /// How loud it is, at most a tenth of a second ago.
  public var loudness = RecordingLoudness()
  /// Whether it is paused.
  public var isPaused = false
  /// Whether it is muted.
  public var isMuted = false
  /// Whether the device is away.
  public var isDeviceLost = false
  /// The device in use.
  public var device: CaptureDevice?
  /// Whether it has ended.
  public var isStopped = false
  /// The tracks, the first one first; empty for a recording of one source without settings of a track.
  public var tracks: [Track] = []

  /// The momentary state of a track.
  public struct Track: Sendable, Equatable {
    /// Its name.
    public var name: String
    /// The highest sample of all channels since the last status, as the mix has it.
    public var peak: Float = 0
    /// Whether the track is muted by itself.
    public var isMuted = false
    /// Whether its device is away, or has not come in time.
    public var isDeviceLost = false
    /// Whether it takes part; false before it is started, and when it has ended.
    public var isPlaying = true
  }
}
