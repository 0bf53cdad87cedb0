public import AacornDevices

/// The beginning or the end of a problem in the signal of a source.
///
/// The problem concerns the captured samples only: pauses, silence in place of lost audio, mute,
/// gain and effects have no influence.
public struct SignalEvent: Sendable, Equatable {
  /// A problem in the signal of a source.
  public enum Problem: String, Sendable {
    /// All samples are zero, for example because the microphone is muted.
    case silent
  }

  /// The kind of the problem.
  public var problem: Problem
  /// Whether the problem has begun; false if it has ended.
  public var isActive: Bool
  /// The duration of the problem up to now, in samples of the recording.
  public var length: Int
  /// The device with the problem, if the source is a device.
  public var device: Device?

  /// Creates an event.
  public init(_ problem: Problem, isActive: Bool, length: Int, device: Device? = nil) {
    self.problem = problem
    self.isActive = isActive
    self.length = length
    self.device = device
  }
}

/// The silences of a source in a recording.
public struct SourceSilence: Sendable, Equatable {
  /// The name of the track; nil for a recording of one source without track settings.
  public var track: String?
  /// The samples in silences that were long enough to be reported.
  public var sampleCount: Int

  /// Creates an entry for a track.
  public init(track: String? = nil, sampleCount: Int) {
    self.track = track
    self.sampleCount = sampleCount
  }
}
