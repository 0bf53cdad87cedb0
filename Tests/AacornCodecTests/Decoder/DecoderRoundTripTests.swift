import AacornSignal
import Testing

@testable import AacornCodec

/// Decoding the output of the encoder.
@Suite struct DecoderRoundTripTests {
  /// Encodes without noise substitution, which preserves only energies.
  private static func encode(
    _ channels: [[Float]], rate: Int, bitsPerSample: Double
  ) throws -> EncodedSound {
    let limits = try #require(
      AACEncoder.bitrateLimits(sampleRate: rate, channelCount: channels.count))
    let wanted = Int(bitsPerSample * Double(rate * channels.count))
    var configuration = AACEncoder.Configuration(
      sampleRate: rate, channelCount: channels.count,
      bitrate: min(max(wanted, limits.lowerBound), limits.upperBound))
    configuration.tools.remove(.noiseSubstitution)
    return try EncodedSound(channels, configuration)
  }

  /// Decodes, removes priming and padding, and expects the samples of the reference decoder.
  private static func restore(_ sound: EncodedSound) throws -> [[Float]] {
    let decoded = try DecodedSound(sound.units.map(\.bytes), sound.config)
    #expect(decoded.concealedCount == 0)
    let exact = try sound.decoded()
    #expect(decoded.channels.count == exact.count)
    for (samples, exact) in zip(decoded.channels, exact) {
      #expect(Likeness.worst(samples, exact) < 1e-5)
    }
    return decoded.channels.map {
      Array($0.dropFirst(sound.trim.priming).dropLast(sound.trim.remainder))
    }
  }

  @Test(arguments: [8_000, 16_000, 24_000, 44_100, 48_000, 96_000], [1, 2, 6, 8])
  func everyRateAndLayoutDecodesToItsSound(rate: Int, channelCount: Int) throws {
    let music = Signals.music(5000, rate: rate, channels: channelCount, seed: 11)
    let sound = try Self.encode(music, rate: rate, bitsPerSample: 4)
    let restored = try Self.restore(sound)
    #expect(restored.count == channelCount)
    for channel in 0..<channelCount {
      #expect(restored[channel].count == 5000)
      // The LFE has a narrow bandwidth.
      if channelCount >= 6 && channel == 3 { continue }
      let ratio = Likeness.signalToNoise(music[channel], restored[channel].map(Double.init))
      #expect(ratio > 15, "channel \(channel): \(ratio) dB")
    }
  }

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
    for (index, (samples, least)) in sounds.enumerated() {
      let sound = try Self.encode([samples], rate: rate, bitsPerSample: 4)
      let restored = try Self.restore(sound)
      let ratio = Likeness.signalToNoise(samples, restored[0].map(Double.init))
      #expect(ratio > least, "sound \(index): \(ratio) dB")
    }
  }

  /// Each channel has a different tone, which must be decoded into the same channel.
  @Test(arguments: [1, 2, 3, 4, 5, 6, 8])
  func decoderKeepsChannelOrder(channelCount: Int) throws {
    let tones = [440.0, 1250, 2300, 93, 3450, 4700, 5900, 7300]
    let channels = (0..<channelCount).map { channel in
      let hertz = channelCount < 6 && channel == 3 ? 930 : tones[channel]
      return Signals.sine(12_000, hertz: hertz, rate: 48_000, amplitude: 0.3)
    }
    let sound = try Self.encode(channels, rate: 48_000, bitsPerSample: 3)
    let restored = try Self.restore(sound)
    for (channel, samples) in restored.enumerated() {
      for other in 0..<channelCount {
        let hertz = channelCount < 6 && other == 3 ? 930 : tones[other]
        let amplitude = Likeness.amplitude(
          of: hertz, in: samples.map(Double.init), rate: 48_000)
        #expect(channel == other ? amplitude > 0.25 : amplitude < 0.01)
      }
    }
    let decoder = try AACDecoder(sound.config)
    #expect(decoder.channelLayout == .standard(channelCount: channelCount))
  }
}
