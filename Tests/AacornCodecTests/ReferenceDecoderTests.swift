import Foundation
import Testing

@testable import AacornCodec

/// The reference decoder with streams of known content.
@Suite struct ReferenceDecoderTests {
  static let streams = [
    "lc_sine_1k", "lc_all_codebooks", "lc_window_switching", "lc_tns_pulse",
    "lc_stereo_ms_intensity",
  ]

  @Test(arguments: streams)
  func decodesToTheKnownSamples(name: String) throws {
    let stream = try CodecVectors.stream(name)
    let decoded = try ReferenceDecoder.decode(units: stream.units, config: stream.configuration)
    let frame = try #require(stream.referenceFrame)
    let expected = stream.referenceSamples
    #expect(decoded.count == stream.channels)
    for (channel, samples) in expected.enumerated() {
      let range = frame * 1024..<(frame + 1) * 1024
      let error = zip(decoded[channel][range], samples).map { abs($0 - $1) }.max() ?? .infinity
      #expect(samples.count == 1024)
      #expect(error < 0.01, "channel \(channel)")
    }
  }

  @Test(arguments: streams)
  func everyFrameHasTheKnownLevel(name: String) throws {
    let stream = try CodecVectors.stream(name)
    let decoded = try ReferenceDecoder.decode(units: stream.units, config: stream.configuration)
    let levels = try #require(stream.rms)
    #expect(levels.count == stream.frames)
    for (frame, level) in levels.enumerated() {
      for (channel, expected) in level.enumerated() {
        let samples = decoded[channel][frame * 1024..<(frame + 1) * 1024]
        let rms = (samples.reduce(0) { $0 + $1 * $1 } / 1024).squareRoot()
        #expect(abs(rms - expected) < 0.01, "frame \(frame) channel \(channel)")
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

  @Test func windowsFollowTheirFormulas() throws {
    let known = try CodecVectors.load().windowSamples
    func check(_ window: [Double], _ indices: [Int], _ expected: [Double]) {
      for (index, value) in zip(indices, expected) { #expect(abs(window[index] - value) < 1e-6) }
    }
    check(ReferenceTransform.sine(1024), known.indices.long, known.longSine)
    check(ReferenceTransform.sine(128), known.indices.short, known.shortSine)
    check(
      ReferenceTransform.kaiserBesselDerived(1024, alpha: 4), known.indices.long,
      known.longKaiser)
    check(
      ReferenceTransform.kaiserBesselDerived(128, alpha: 6), known.indices.short,
      known.shortKaiser)
  }

  @Test func forwardTransformFollowsItsFormula() throws {
    let cases = try CodecVectors.load().transform.cases
    func transform(_ rise: [Double], _ signal: (Double) -> Double) -> [Double] {
      let window = rise + rise.reversed()
      return ReferenceTransform.forward(window.enumerated().map { $1 * signal(Double($0)) })
    }
    func check(_ spectrum: [Double], from: Int, _ expected: [Double]?) throws {
      for (index, value) in try #require(expected).enumerated() {
        #expect(abs(spectrum[from + index] - value) < 0.01)
      }
    }
    let sine = ReferenceTransform.sine(1024)
    let kaiser = ReferenceTransform.kaiserBesselDerived(1024, alpha: 4)
    try check(transform(sine) { $0 == 512 ? 1000 : 0 }, from: 0, cases[0].first16)
    try check(transform(kaiser) { $0 == 512 ? 1000 : 0 }, from: 0, cases[1].first16)
    try check(
      transform(sine) { 10_000 * cos(2 * .pi * 16.5 / 2048 * ($0 + 512.5)) }, from: 8,
      cases[2].from8)
    try check(
      transform(ReferenceTransform.sine(128)) { 10_000 * cos(2 * .pi * 10.5 / 256 * ($0 + 64.5)) },
      from: 4, cases[3].from4)
  }

  @Test(arguments: [1024, 128])
  func overlappedInverseRestoresTheSignal(length: Int) {
    let rise = ReferenceTransform.kaiserBesselDerived(length, alpha: 4)
    let window = rise + rise.reversed()
    var noise = NoiseGenerator()
    let signal = (0..<3 * length).map { _ in noise.next() }
    let blocks = (0..<2).map { block in
      let windowed = zip(signal[(block * length)...], window).map { $0 * $1 }
      return zip(ReferenceTransform.inverse(ReferenceTransform.forward(windowed)), window)
        .map { $0 * $1 }
    }
    for n in 0..<length {
      #expect(abs(blocks[0][length + n] + blocks[1][n] - signal[length + n]) < 1e-9)
    }
  }

  @Test func dequantizationFollowsItsFormula() throws {
    for item in try CodecVectors.load().quantizer.cases {
      let value = ReferenceSpectrum.dequantize(item.q, item.sf)
      #expect(abs(value - item.dequant) <= 1e-4 * max(1, abs(item.dequant)))
    }
  }

  @Test func noiseShapingCoefficientsFollowTheirFormula() throws {
    for item in try CodecVectors.load().noiseShaping.cases {
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
