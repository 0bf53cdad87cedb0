import Testing

@testable import AacornCodec

/// The formulas of the reference decoder; `DecoderStreamTests` compares it with known streams.
@Suite struct ReferenceDecoderTests {
  static let streams = [
    "lc_sine_1k", "lc_all_codebooks", "lc_window_switching", "lc_tns_pulse",
    "lc_stereo_ms_intensity",
  ]

  @Test func dequantizationFollowsItsFormula() throws {
    for item in try CodecVectors.load().quantizer {
      let value = ReferenceSpectrum.dequantize(item.q, item.sf)
      #expect(abs(value - item.dequant) <= 1e-4 * max(1, abs(item.dequant)))
    }
  }

  @Test func noiseShapingCoefficientsFollowTheirFormula() throws {
    for item in try CodecVectors.load().noiseShaping {
      let resolution = 3 + item.coefficientResolution
      for (index, expected) in zip(item.indices, item.reflection) {
        let value = ReferenceSpectrum.reflectionCoefficient(index, resolution: resolution)
        #expect(abs(value - expected) < 1e-6)
      }
      let direct = ReferenceSpectrum.predictionCoefficients(item.indices, resolution: resolution)
      #expect(direct.count == item.prediction.count)
      for (value, expected) in zip(direct, item.prediction) {
        #expect(abs(value - expected) < 2e-6)
      }
    }
  }

  @Test func intensityAndNoiseLevelsFollowTheirFormulas() throws {
    let vectors = try CodecVectors.load()
    for item in vectors.intensityScale {
      #expect(abs(ReferenceSpectrum.intensityScale(item.position) - item.factor) < 1e-6)
    }
    for item in vectors.noiseEnergy {
      let energy = ReferenceSpectrum.noiseEnergy(item.energy)
      #expect(abs(energy - item.sumOfSquares) < 1e-9 * item.sumOfSquares)
    }
  }
}
