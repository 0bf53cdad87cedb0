/// What a channel of object type Main says about its backward prediction (ISO/IEC 14496-3, table
/// 4.6).
@frozen
public struct BackwardPrediction: Equatable, Sendable {
  /// The group of predictors to start over, 1…30; 0 if there is none.
  public var resetGroup = 0
  /// A bit for each band that is predicted, the lowest for the first band.
  public var bands: UInt64 = 0

  /// No band is predicted.
  public init() {}
}

/// What a channel of object type LTP says about its long-term prediction (ISO/IEC 14496-3, table
/// 4.55).
@frozen
public struct LongTermPrediction: Equatable, Sendable {
  /// How many samples ago the sound was similar.
  public var lag = 0
  /// The index of the gain, 0…7.
  public var gainIndex = 0
  /// A bit for each band that is predicted, the lowest for the first band.
  public var bands: UInt64 = 0

  /// No band is predicted.
  public init() {}
}
