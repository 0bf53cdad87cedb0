/// One of the thirteen sampling frequencies that have an index in AAC.
///
/// ISO/IEC 14496-3, 1.6.3.4. Rates without an index need the escape form of the
/// AudioSpecificConfig, which ADTS cannot carry and many decoders reject.
@frozen
public struct SamplingFrequency: Equatable, Sendable {
  /// The index, 0 (96 kHz) … 12 (7350 Hz).
  public let index: Int

  /// Creates the frequency with this index; nil outside 0…12.
  @inlinable
  public init?(index: Int) {
    guard index >= 0 && index < 13 else { return nil }
    self.index = index
  }

  /// Creates the frequency of exactly this many hertz; nil if AAC has no index for it.
  public init?(hertz: Int) {
    for index in 0..<13 where Self.hertzOfIndex[index] == hertz {
      self.index = index
      return
    }
    return nil
  }

  /// Creates the frequency whose tables apply to a rate without an index (14496-3, table 4.82).
  public init(tablesFor hertz: Int) {
    var index = 0
    while index < 11 && hertz < Self.lowerLimits[index] { index += 1 }
    self.index = index
  }

  /// The frequency in hertz.
  public var hertz: Int { Self.hertzOfIndex[index] }

  /// All thirteen frequencies, highest first.
  public static var all: [SamplingFrequency] {
    (0..<13).compactMap { SamplingFrequency(index: $0) }
  }

  private static let hertzOfIndex: [Int] = [
    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000,
    7_350,
  ]

  private static let lowerLimits: [Int] = [
    92_017, 75_132, 55_426, 46_009, 37_566, 27_713, 23_004, 18_783, 13_856, 11_502, 9_391, 0,
  ]
}
