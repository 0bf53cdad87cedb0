/// The long-term prediction of a channel of object type LTP (ISO/IEC 14496-3, table 4.55).
@frozen
public struct LongTermPrediction: Equatable, Sendable {
  /// The distance back to the earlier audio from which the frame is predicted, in samples.
  public var lag = 0
  /// The index of the gain, 0…7.
  public var gainIndex = 0
  /// A bit for each predicted band, the lowest for the first band.
  public var bands: UInt64 = 0

  /// Creates a prediction without predicted bands.
  public init() {}
}
