import AacornCodec
import Testing

@Suite struct SamplingFrequencyTests {
  /// ISO/IEC 14496-3, table 1.16.
  static let table = [
    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000,
    7_350,
  ]

  @Test func indicesAreThoseOfTheStandard() {
    #expect(SamplingFrequency.all.map(\.hertz) == Self.table)
    #expect(SamplingFrequency.all.map(\.index) == Array(0..<13))
    for (index, hertz) in Self.table.enumerated() {
      #expect(SamplingFrequency(hertz: hertz)?.index == index)
      #expect(SamplingFrequency(index: index)?.hertz == hertz)
    }
  }

  @Test(arguments: [-1, 13, 14, 15, 16, Int.min, Int.max])
  func otherIndicesHaveNoFrequency(index: Int) {
    #expect(SamplingFrequency(index: index) == nil)
  }

  @Test(arguments: [0, -44_100, 44_099, 44_101, 37_800, 192_000, Int.max])
  func otherRatesHaveNoIndex(hertz: Int) {
    #expect(SamplingFrequency(hertz: hertz) == nil)
  }

  /// ISO/IEC 14496-3, table 4.82: the ranges of sample rates that share tables.
  @Test(arguments: [
    (Int.max, 0), (92_017, 0), (92_016, 1), (75_132, 1), (75_131, 2), (55_426, 2), (55_425, 3),
    (46_009, 3), (46_008, 4), (37_566, 4), (37_565, 5), (27_713, 5), (27_712, 6), (23_004, 6),
    (23_003, 7), (18_783, 7), (18_782, 8), (13_856, 8), (13_855, 9), (11_502, 9), (11_501, 10),
    (9_391, 10), (9_390, 11), (1, 11),
  ])
  func otherRatesUseTablesOfStandardRate(hertz: Int, index: Int) {
    #expect(SamplingFrequency(tablesFor: hertz).index == index)
  }
}
