public import AacornSignal

/// A unit with the time at which its first decoded sample is due.
public struct TimedUnit: Equatable, Sendable {
  /// The unit.
  public var unit: AccessUnit
  /// When its first sample is due, be it to be left out or not.
  public var time: MediaTime
  /// Decoded samples per second.
  public var sampleRate: Int
  /// Samples at its beginning that are none of the input's: the encoder's delay.
  public var leadingTrim: Int
  /// Samples at its end that are none of the input's: what fills the last frame.
  public var trailingTrim: Int

  /// Creates a unit of another encoder or of a file, with its time.
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

/// Where the times of buffers were apart by more or less than their samples.
public struct PresentationGap: Equatable, Sendable {
  /// What became of it.
  @frozen
  public enum Outcome: Equatable, Sendable {
    /// Silence of that length took its place.
    case filled
    /// It is too long for that: the times of units jump.
    case skipped
    /// More samples came than time had passed; all of them are encoded.
    case surplus
  }

  /// What became of it.
  public var outcome: Outcome
  /// When the buffer after it is due.
  public var end: MediaTime
  /// How many frames are missing, or too many.
  public var frameCount: Int
  /// Frames per second.
  public var sampleRate: Int
}
