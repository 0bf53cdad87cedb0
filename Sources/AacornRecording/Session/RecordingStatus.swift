public import AacornDevices

/// A snapshot of a recording's state.
public struct RecordingStatus: Sendable, Equatable {
  /// Samples recorded up to now.
  public var sampleCount = 0
  /// Samples per second.
  public var sampleRate = 0
  /// Bytes of all files of the first output.
  public var byteCount = 0
  /// The number of gaps in the ledger.
  public var gapCount = 0
  /// The number of gaps with lost audio, without pauses.
  public var filledGapCount = 0
  /// Samples of silence in place of lost audio.
  public var filledSampleCount = 0
  /// The device's deviation from its nominal rate in millionths, positive if it is faster.
  public var driftPartsPerMillion: Double?
  /// The peak magnitude of each channel since the last status; 1 is full scale, and higher values
  /// are possible.
  public var peaks: [Float] = []
  /// Samples at full scale up to now.
  public var clippedSampleCount = 0
  /// The loudness, at most a tenth of a second old.
  public var loudness = RecordingLoudness()
  /// Whether the recording is paused.
  public var isPaused = false
  /// Whether the recording is muted.
  public var isMuted = false
  /// Whether the device is missing, or delivers no samples.
  public var isDeviceLost = false
  /// Whether the device is connected, but delivers no samples.
  package var isStalled = false
  /// Whether the source has delivered only zeros for ten seconds or more, for example because the
  /// microphone is muted; with several tracks, all that contribute to the mix.
  public var isSilent = false
  /// The device in use.
  public var device: Device?
  /// Whether the recording has ended.
  public var isStopped = false
  /// The tracks in order; empty for a recording of one source without track settings.
  public var tracks: [Track] = []

  package init() {}

  /// A snapshot of a track's state.
  public struct Track: Sendable, Equatable {
    /// The track's name, unique within the recording.
    public var name: String
    /// The peak magnitude of the track in the mix, in any channel, since the last status.
    public var peak: Float = 0
    /// Whether the track itself is muted.
    public var isMuted = false
    /// Whether the track's device is missing or late.
    public var isDeviceLost = false
    /// Whether the track's source has delivered only zeros for ten seconds or more.
    public var isSilent = false
    /// Whether the track contributes to the mix; false before its start and after its end.
    public var isPlaying = true
  }
}
