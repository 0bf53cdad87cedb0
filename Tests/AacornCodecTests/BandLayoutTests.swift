import Testing

@testable import AacornCodec

@Suite struct BandLayoutTests {
  /// The encoder reuses one layout for different windows, so the test does, too.
  @Test func bandWidthsEqualOffsetDifferences() {
    var layout = BandLayout()
    func check(lineCount: Int, bandCount: Int) {
      #expect(layout.bandCount == bandCount && layout.lineCount == lineCount)
      #expect(layout.offsets.count == bandCount + 1 && layout.offsets[0] == 0)
      // Padding, so that four bands can be read at a time.
      #expect(layout.widths.count == bandCount + 4)
      for band in 0..<bandCount {
        #expect(Int(layout.widths[band]) == layout.offsets[band + 1] - layout.offsets[band])
      }
      #expect(layout.widths[bandCount...].allSatisfy { $0 == 0 })
    }
    for rateIndex in 0..<13 {
      let bands = ScaleFactorBands(rateIndex: rateIndex)
      let (long, short) = (bands.long.count - 1, bands.short.count - 1)
      layout.setWindow(WindowInfo(.onlyLong, bands: long), windowOffsets: bands.long)
      check(lineCount: 1024, bandCount: long)
      for groups in [[8], [3, 1, 4], [1, 1, 1, 1, 1, 1, 1, 1]] as [[UInt8]] {
        layout.setWindow(
          WindowInfo(.eightShort, bands: short, groups: groups), windowOffsets: bands.short)
        check(lineCount: 1024, bandCount: groups.count * short)
        layout.setWindow(
          WindowInfo(.eightShort, bands: 5, groups: groups), windowOffsets: bands.short)
        check(lineCount: 8 * bands.short[5], bandCount: groups.count * 5)
      }
      layout.setWindow(WindowInfo(.onlyLong, bands: 11), windowOffsets: bands.long)
      check(lineCount: bands.long[11], bandCount: 11)
    }
  }

  @Test func shortLinesAreInterleavedByBand() {
    var layout = BandLayout()
    layout.setWindow(
      WindowInfo(.eightShort, bands: 2, groups: [2, 6]), windowOffsets: [0, 4, 12, 128])
    let windows = (0..<1024).map { Float($0) }
    var lines = [Float](repeating: -1, count: 1024)
    layout.interleave(windows, into: &lines)
    var expected: [Float] = []
    for group in [0..<2, 2..<8] {
      for band in [0..<4, 4..<12] {
        for window in group { expected += band.map { Float(window * 128 + $0) } }
      }
    }
    #expect(Array(lines[..<96]) == expected)
    #expect(lines[96...].allSatisfy { $0 == -1 })
  }
}
