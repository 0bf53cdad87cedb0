public import AacornSignal

/// A difference between the times of buffers and the duration of their samples.
public struct PresentationGap: Equatable, Sendable {
  /// The treatment of the gap.
  @frozen
  public enum Outcome: Equatable, Sendable {
    /// Silence of that length was inserted.
    case filled
    /// The gap is too long to fill: the times of units jump.
    case skipped
    /// There are more samples than time has passed; all of them are encoded.
    case surplus
  }

  /// The treatment of the gap.
  public var outcome: Outcome
  /// The presentation time of the buffer after the gap.
  public var end: MediaTime
  /// The number of missing or surplus frames.
  public var frameCount: Int
  /// Frames per second.
  public var sampleRate: Int
}
