public import AacornSignal

/// A unit with the time at which its first decoded sample is due.
public struct TimedUnit: Equatable, Sendable {
  /// The unit.
  public var unit: AccessUnit
  /// The presentation time of its first decoded sample, even if that sample is trimmed.
  public var time: MediaTime
  /// Decoded samples per second.
  public var sampleRate: Int
  /// Samples at its beginning that are not part of the input: the encoder's delay.
  public var leadingTrim: Int
  /// Samples at its end that are not part of the input: the padding of the last frame.
  public var trailingTrim: Int

  /// Creates a timed unit, for example from another encoder or a file.
  public init(
    unit: AccessUnit, time: MediaTime, sampleRate: Int, leadingTrim: Int = 0, trailingTrim: Int = 0
  ) {
    self.unit = unit
    self.time = time
    self.sampleRate = sampleRate
    self.leadingTrim = leadingTrim
    self.trailingTrim = trailingTrim
  }
}

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
