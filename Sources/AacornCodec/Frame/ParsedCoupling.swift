/// The parameters of a coupling channel (ISO/IEC 14496-3, 4.6.8.3 and table 4.8).
public struct ParsedCoupling: Equatable, Sendable {
  /// An element that the coupling channel is added to.
  @frozen
  public struct Target: Equatable, Sendable {
    /// Whether the element is a pair.
    public var isPair: Bool
    /// Its instance tag.
    public var tag: Int
    /// Whether the coupling channel is added to the first channel of a pair.
    public var usesLeft: Bool
    /// Whether the coupling channel is added to the second channel of a pair.
    public var usesRight: Bool
  }

  /// The index of the coupling element's channel in the block.
  public var channel = 0
  /// Whether the coupling channel is added to the samples rather than the lines.
  public var isIndependent = false
  /// Whether the coupling channel is added to the lines after temporal noise shaping, not before.
  public var isAfterNoiseShaping = false
  /// Whether the lowest bit of a gain is its sign.
  public var hasSigns = false
  /// The index, 0…3, of the step of a gain: 2^(1/8), 2^(1/4), 2^(1/2) or 2.
  public var scale = 0
  /// The elements to which the coupling channel is added.
  public var targets: [Target] = []
  /// The gain of each band, for each list of gains; a list with one gain repeats it.
  ///
  /// A value is the number of steps. With `hasSigns`, its lowest bit is the sign, unless the list
  /// has one gain for all bands.
  public var gains: [Int16] = []
  /// Whether each list of gains has one gain for all bands, which never has a sign.
  public var isCommon: [Bool] = []

  /// Creates a coupling channel without targets.
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
