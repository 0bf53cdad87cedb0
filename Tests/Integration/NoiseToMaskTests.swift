import Foundation
import TestSignals
import Testing

/// The quality measure for the encoder, checked with signals of known results.
@Suite struct NoiseToMaskTests {
  @Test func fastTransformEqualsDirectTransform() {
    var noise = SeededNumbers(seed: 1)
    let samples = (0..<64).map { _ in noise.sample() }
    let power = FourierTransform(count: 64).power(of: samples)
    #expect(power.count == 33)
    for (line, fast) in power.enumerated() {
      var (real, imaginary) = (0.0, 0.0)
      for (n, sample) in samples.enumerated() {
        real += sample * cos(2 * .pi * Double(line * n) / 64)
        imaginary += sample * sin(2 * .pi * Double(line * n) / 64)
      }
      #expect(abs(fast - (real * real + imaginary * imaginary)) < 1e-9, "line \(line)")
    }
  }

  /// BS.1387 defines the reference level with a sine of 1,019.5 Hz, halfway between two lines at 48
  /// kHz.
  @Test func aSineOfFullScaleHas92Decibels() throws {
    let model = EarModel(rate: 48_000)
    let sine = (0..<2048).map { Float(sin(2 * .pi * 1019.5 * Double($0) / 48_000)) }
    let strongest = try #require(model.spectrum(of: sine[...]).max())
    // The ear attenuates this frequency slightly.
    let transmission = -0.6 * 3.64 * pow(1.0195, -0.8) + 6.5 * exp(-0.6 * pow(1.0195 - 3.3, 2))
    #expect(abs(10 * log10(strongest) - transmission - 92) < 0.2)
  }

  /// Spreading reaches further up than down, and further for louder sounds.
  @Test func soundsMaskTheirNeighbors() {
    let model = EarModel(rate: 44_100)
    func thresholds(_ decibels: Double) -> [Double] {
      var energies = [Double](repeating: 1e-12, count: model.bandCount)
      energies[50] = pow(10, decibels / 10)
      return model.thresholds(of: [energies])[0].map { 10 * log10($0) }
    }
    let (soft, loud) = (thresholds(60), thresholds(80))
    #expect(loud[60] - loud[50] > loud[40] - loud[50] + 20)
    #expect(loud[60] - loud[50] > soft[60] - soft[50] + 5)
  }

  @Test func noiseCountsAsMuchAsItIs() {
    let music = Sound.music(frames: 30_000, rate: 44_100, channels: 2)
    let measure = NoiseToMask(original: music)
    #expect(measure.decibels(of: music.channels) == NoiseToMask.lowest)
    let scores = [0.0002, 0.002, 0.02].map { level -> Double in
      var noise = SeededNumbers(seed: 7)
      return measure.decibels(
        of: music.channels.map { $0.map { $0 + Float(level * noise.sample()) } })
    }
    for (softer, louder) in zip(scores, scores.dropFirst()) {
      // 20 dB, and up to 3 dB more where the noise exceeds the signal. Only then does the noise
      // change the magnitude at any phase.
      #expect((19...23.5).contains(louder - softer), "\(scores)")
    }
    // Noise in one channel counts half as much as noise in both.
    let half = measure.decibels(of: [music.channels[0], music.channels[1].map { $0 * 0.9 }])
    let both = measure.decibels(of: music.channels.map { $0.map { $0 * 0.9 } })
    #expect(abs(both - half - 3) < 0.7, "\(both), \(half)")
  }

  /// A masker hides noise after it, but not noise before it.
  @Test func noiseBeforeAnAttackIsWorseThanNoiseAfterIt() {
    var noise = SeededNumbers(seed: 3)
    let burst = (0..<20_480).map { n in
      (8192..<12_288).contains(n) ? Float(0.3 * noise.sample()) : 0
    }
    func score(noiseIn range: Range<Int>) -> Double {
      var noise = SeededNumbers(seed: 4)
      let copy = burst.indices.map { n in
        burst[n] + (range.contains(n) ? Float(0.003 * noise.sample()) : 0)
      }
      return NoiseToMask(original: Sound(channels: [burst], rate: 48_000)).decibels(of: [copy])
    }
    #expect(score(noiseIn: 6144..<7168) > score(noiseIn: 12_288..<13_312) + 1)
  }
}
