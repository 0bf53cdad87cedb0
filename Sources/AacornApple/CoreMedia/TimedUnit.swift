public import AacornCodec
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
