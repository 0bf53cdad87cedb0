import Testing

@testable import AacornCodec

/// The reference decoder with streams of known content, and its formulas.
@Suite struct ReferenceDecoderTests {
  static let streams = [
    "lc_sine_1k", "lc_all_codebooks", "lc_window_switching", "lc_tns_pulse",
    "lc_stereo_ms_intensity",
  ]

  @Test(arguments: streams)
  func decodesToTheKnownSamplesAndLevels(name: String) throws {
    let stream = try CodecVectors.stream(name)
    let decoded = try ReferenceDecoder.decode(units: stream.units, config: stream.configuration)
    #expect(decoded.count == stream.channels)
    let frames = decoded.map { samples in
      stride(from: 0, to: samples.count, by: 1024).map { samples[$0..<$0 + 1024] }
    }
    let frame = try #require(stream.referenceFrame)
    for (channel, samples) in stream.referenceSamples.enumerated() {
      #expect(samples.count == 1024)
      let error = zip(frames[channel][frame], samples).map { abs($0 - $1) }.max() ?? .infinity
      #expect(error < 0.01, "channel \(channel)")
    }
    let levels = try #require(stream.rms)
    #expect(levels.count == stream.frames)
    for (frame, level) in levels.enumerated() {
      for (channel, expected) in level.enumerated() {
        let power = frames[channel][frame].reduce(0) { $0 + $1 * $1 } / 1024
        #expect(abs(power.squareRoot() - expected) < 0.01, "frame \(frame) channel \(channel)")
      }
    }
  }

  @Test func noiseHasTheKnownVariance() throws {
    let stream = try CodecVectors.stream("lc_pns")
    let decoded = try ReferenceDecoder.decode(units: stream.units, config: stream.configuration)
    let samples = decoded[0][1024...]
    let variance = samples.reduce(0) { $0 + $1 * $1 } / Double(samples.count)
    #expect(abs(variance - (try #require(stream.variance))) < 25)
  }

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
