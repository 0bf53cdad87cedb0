import TestSignals
import Testing

@testable import AacornCodec

@Suite struct DequantizerTests {
  private static let offsets = ScaleFactorBands(rateIndex: 4).long

  @Test func everyMagnitudeFollowsTheFormula() {
    for q in -8191...8191 {
      let exact = ReferenceSpectrum.dequantize(q, 100)
      let error = Double(Dequantizer.power(Int32(q))) - exact
      #expect(error.magnitude <= 1e-7 * exact.magnitude)
    }
  }

  @Test func everyGainFollowsTheFormula() {
    for index in -400...400 {
      let exact = ReferenceSpectrum.dequantize(1, index + 100)
      #expect((Double(Dequantizer.gain(index)) - exact).magnitude <= 1e-7 * exact)
    }
    #expect(Dequantizer.gain(1 << 40) == Dequantizer.gain(400))
    #expect(Dequantizer.gain(-1 << 40) == Dequantizer.gain(-400))
  }

  @Test func onlyBandsWithCodewordsHaveLines() {
    var random = SeededNumbers(seed: 1)
    let dequantizer = Dequantizer()
    var channel = ParsedChannel(WindowInfo(.onlyLong, bands: 40), largest: 8191, using: &random)
    for (band, book) in [11, 0, 13, 14, 15, 11].enumerated() {
      channel.codebooks[band] = UInt8(book)
    }
    for band in 0..<40 { channel.scaleFactors[band] = Int16.random(in: 0...255, using: &random) }
    var lines = [Float](repeating: 7, count: 1024)
    dequantizer.apply(channel, offsets: Self.offsets, into: &lines)
    for band in 0..<40 {
      for line in Self.offsets[band]..<Self.offsets[band + 1] {
        let exact =
          (1...4).contains(band)
          ? 0
          : ReferenceSpectrum.dequantize(
            Int(channel.spectrum[line]), Int(channel.scaleFactors[band]))
        #expect((Double(lines[line]) - exact).magnitude <= 2e-7 * exact.magnitude)
      }
    }
    #expect(lines[Self.offsets[40]...].allSatisfy { $0 == 0 })
  }
}
