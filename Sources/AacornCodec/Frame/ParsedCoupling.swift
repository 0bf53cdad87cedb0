/// How a coupling channel is added to other channels (ISO/IEC 14496-3, 4.6.8.3 and table 4.8).
public struct ParsedCoupling: Equatable, Sendable {
  /// An element that the coupling channel is added to.
  @frozen
  public struct Target: Equatable, Sendable {
    /// Whether it is a pair.
    public var isPair: Bool
    /// Its instance tag.
    public var tag: Int
    /// Whether the first channel of a pair takes part.
    public var usesLeft: Bool
    /// Whether the second channel of a pair takes part.
    public var usesRight: Bool
  }

  /// Index of the coupling element's channel in the block.
  public var channel = 0
  /// Whether it is added to the samples rather than the lines.
  public var isIndependent = false
  /// Whether it is added to the lines after temporal noise shaping rather than before.
  public var isAfterNoiseShaping = false
  /// Whether the lowest bit of a gain is its sign.
  public var hasSigns = false
  /// The step of a gain: 2^(1/8), 2^(1/4), 2^(1/2) or 2.
  public var scale = 0
  /// The elements that it is added to.
  public var targets: [Target] = []
  /// For each list of gains, one value for each band; a list with one gain repeats it.
  ///
  /// A value is the number of steps, without signs, or with the sign below.
  public var gains: [Int16] = []
  /// For each list of gains, whether it is one gain for all bands, which never has a sign.
  public var isCommon: [Bool] = []

  /// A coupling channel that is not added to anything.
  public init() {}

  /// Removes everything but keeps the storage.
  mutating func removeContent() {
    channel = 0
    isIndependent = false
    isAfterNoiseShaping = false
    hasSigns = false
    scale = 0
    targets.removeAll(keepingCapacity: true)
    gains.removeAll(keepingCapacity: true)
    isCommon.removeAll(keepingCapacity: true)
  }
}
