import TestSignals
import Testing

@testable import AacornCodec

@Suite struct DequantizerTests {
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
}
