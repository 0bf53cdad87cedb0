/// The backward prediction of a channel of object type Main (ISO/IEC 14496-3, table 4.6).
@frozen
public struct BackwardPrediction: Equatable, Sendable {
  /// The group of predictors to reset, 1…30; 0 if there is none.
  public var resetGroup = 0
  /// A bit for each predicted band, the lowest for the first band.
  public var bands: UInt64 = 0

  /// Creates a prediction without predicted bands.
  public init() {}
}
