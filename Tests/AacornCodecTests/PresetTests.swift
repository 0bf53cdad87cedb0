import Testing

@testable import AacornCodec

@Suite struct PresetTests {
  @Test(
    arguments: [
      (.smallSpeech, .highEfficiency, 1, 48_000, 24_000),
      (.speech, .lowComplexity, 1, 24_000, 32_000),
      (.fineSpeech, .lowComplexity, 1, 48_000, 64_000),
      (.smallRadio, .highEfficiencyV2, 2, 48_000, 32_000),
      (.radio, .highEfficiency, 2, 48_000, 48_000),
      (.music, .lowComplexity, 2, 48_000, 96_000),
      (.fineMusic, .lowComplexity, 2, 48_000, 128_000),
    ] as [(AACEncoder.Preset, AACEncoder.Profile, Int, Int, Int)])
  func presetsMatchTheirDescriptions(
    preset: AACEncoder.Preset, profile: AACEncoder.Profile, channelCount: Int, sampleRate: Int,
    bitrate: Int
  ) {
    let configuration = preset.configuration
    #expect(configuration.profile == profile && configuration.channelCount == channelCount)
    #expect(configuration.sampleRate == sampleRate)
    #expect(configuration.rateControl == .constant(bitsPerSecond: bitrate))
  }

  @Test(arguments: AACEncoder.Preset.allCases)
  func everyPresetMakesAnEncoderThatKeepsToIt(preset: AACEncoder.Preset) throws {
    let configuration = preset.configuration
    var encoder = try AACEncoder(preset)
    #expect(encoder.audioSpecificConfig.outputSampleRate == configuration.sampleRate)
    #expect(encoder.audioSpecificConfig.outputChannelCount == configuration.channelCount)
    #expect(encoder.timing == configuration.timing)
    let seconds = 4
    let frameCount = seconds * configuration.sampleRate
    let samples = Signals.noise(frameCount * configuration.channelCount, amplitude: 0.25)
    encoder.encode(interleaved: samples.span)
    #expect(encoder.finish().sampleCount == frameCount)
    let bitCount = encoder.completeUnits().reduce(0) { $0 + 8 * $1.bytes.count }
    // Noise uses all available bits.
    let share = Double(bitCount) / Double(seconds * configuration.rateControl.nominalBitrate)
    #expect(share > 0.95 && share < 1.05)
  }
}
