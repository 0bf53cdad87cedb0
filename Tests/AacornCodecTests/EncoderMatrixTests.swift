import AacornSignal
import TestSignals
import Testing

@testable import AacornCodec

/// Every sample rate with every layout, bitrate and effort.
@Suite struct EncoderMatrixTests {
  @Test(arguments: SamplingFrequency.all.map(\.hertz), [1, 2, 3, 4, 5, 6, 8])
  func everyCombinationMakesWholeUnits(rate: Int, channelCount: Int) throws {
    let limits = try #require(
      AACEncoder.bitrateLimits(sampleRate: rate, channelCount: channelCount))
    let music = Signals.music(3000, rate: rate, channels: channelCount)
    let middle = min(limits.upperBound, rate * channelCount * 3 / 2)
    for bitrate in [limits.lowerBound, middle, limits.upperBound] {
      for effort in AACEncoder.Effort.allCases {
        let sound = try EncodedSound(
          music, .constant(bitrate, channels: channelCount, rate: rate, effort: effort))
        #expect(sound.units.count == 4)
        for (block, unit) in zip(try sound.parsed(), sound.units) {
          #expect(block.byteCount == unit.bytes.count)
          #expect(block.channelCount == channelCount)
          let elements = block.elements.filter { $0.kind != .fill }
          #expect(elements.map(\.kind) == sound.layout.elements)
          for kind in [ElementKind.single, .pair, .lowFrequency] {
            let tags = elements.filter { $0.kind == kind }.map(\.tag)
            #expect(tags == Array(0..<tags.count))
          }
        }
        let longest = sound.units.map { $0.bytes.count * 8 }.max() ?? 0
        #expect(longest <= 6144 * sound.layout.bufferedChannelCount)
        #expect(sound.units.compactMap(\.reservoirBits).min() ?? -1 >= 0)
      }
    }
  }

  /// Noise substitution, which preserves only energies, is off in the following two tests.
  @Test(arguments: SamplingFrequency.all.map(\.hertz), [1, 2, 3, 4, 5, 6, 8])
  func everyRateAndLayoutDecodesToItsSound(rate: Int, channelCount: Int) throws {
    let music = Signals.music(3000, rate: rate, channels: channelCount, seed: 11)
    let limits = try #require(
      AACEncoder.bitrateLimits(sampleRate: rate, channelCount: channelCount))
    var configuration = AACEncoder.Configuration.constant(
      min(limits.upperBound, rate * channelCount * 4), channels: channelCount, rate: rate)
    configuration.tools.remove(.noiseSubstitution)
    let sound = try EncodedSound(music, configuration)
    try sound.expectEqualDecoding()
    let restored = try sound.restored()
    #expect(restored.map(\.count) == music.map(\.count))
    for channel in 0..<channelCount {
      // The LFE has a narrow bandwidth.
      if channelCount >= 6 && channel == 3 { continue }
      let ratio = Likeness.signalToNoise(music[channel], restored[channel])
      #expect(ratio > 15, "channel \(channel): \(ratio) dB")
    }
  }

  /// Each channel has a different tone, which must be decoded into that channel only.
  @Test(arguments: [1, 2, 3, 4, 5, 6, 8], AACEncoder.Effort.allCases)
  func encoderKeepsChannelOrder(channelCount: Int, effort: AACEncoder.Effort) throws {
    let rate = 48_000
    let tones = [440.0, 1250, 2300, 93, 3450, 4700, 5900, 7300]
    let channels = (0..<channelCount).map { channel in
      // Without an LFE, the fourth channel is the rear center.
      let hertz = channelCount < 6 && channel == 3 ? 930 : tones[channel]
      return (hertz, Signals.sine(8192, hertz: hertz, rate: rate, amplitude: 0.3))
    }
    var configuration = AACEncoder.Configuration.constant(
      80_000 * channelCount, channels: channelCount, rate: rate, effort: effort)
    configuration.tools.remove(.noiseSubstitution)
    let sound = try EncodedSound(channels.map(\.1), configuration)
    #expect(sound.config.channelConfiguration == sound.layout.rawValue)
    try sound.expectEqualDecoding()
    #expect(try AACDecoder(sound.config).channelLayout == .standard(channelCount: channelCount))
    let decoded = try sound.trimmedOutput()
    for (output, samples) in decoded.enumerated() {
      for (channel, (hertz, _)) in channels.enumerated() {
        let amplitude = Sound.amplitude(of: hertz, in: samples[2048..<6144], rate: rate)
        if output == channel {
          #expect(abs(amplitude - 0.3) < 0.01, "channel \(channel)")
        } else {
          #expect(amplitude < 0.003, "channel \(channel) in \(output)")
        }
      }
    }
  }

  @Test(arguments: [6, 8])
  func theLFEIsCodedOnlyInItsLowestLines(channelCount: Int) throws {
    let rate = 48_000
    var channels = Signals.silence(8192, channels: channelCount)
    let low = Signals.sine(8192, hertz: 60, rate: rate, amplitude: 0.3)
    let high = Signals.sine(8192, hertz: 5000, rate: rate, amplitude: 0.3)
    channels[3] = zip(low, high).map { $0 + $1 }
    let sound = try EncodedSound(
      channels, .constant(64_000 * channelCount, channels: channelCount, rate: rate))
    let samples = try sound.trimmedOutput()[3][2048..<6144]
    #expect(abs(Sound.amplitude(of: 60, in: samples, rate: rate) - 0.3) < 0.02)
    #expect(Sound.amplitude(of: 5000, in: samples, rate: rate) < 0.001)
    for block in try sound.parsed() {
      let element = try #require(block.elements.first { $0.kind == .lowFrequency })
      let channel = block.channels[element.firstChannel]
      #expect(channel.window.sequence == .onlyLong)
      #expect(channel.window.bandsPerGroup <= 3)
      #expect(!channel.hasNoiseShaping)
    }
  }
}
