import Testing

@testable import AacornCodec

/// Decoding the output of the encoder; see also `EncoderMatrixTests`.
@Suite struct DecoderRoundTripTests {
  @Test func tonesNoiseAndAttacksSurvive() throws {
    let rate = 44_100
    let sounds: [([Float], Double)] = [
      (Signals.sine(9000, hertz: 997, rate: rate), 40),
      (Signals.noise(9000), 12),
      (Signals.castanets(9000, rate: rate), 15),
      (Signals.impulse(9000, at: 4321), 8),
      (Signals.square(9000, period: 100), 20),
      (Signals.sweep(9000, from: 50, to: 9000, rate: rate), 25),
    ]
    // Noise substitution preserves only energies.
    var configuration = AACEncoder.Configuration.constant(4 * rate)
    configuration.tools.remove(.noiseSubstitution)
    for (index, (samples, least)) in sounds.enumerated() {
      let sound = try EncodedSound([samples], configuration)
      try sound.expectEqualDecoding()
      let ratio = Likeness.signalToNoise(samples, try sound.restored()[0])
      #expect(ratio > least, "sound \(index): \(ratio) dB")
    }
  }
}
