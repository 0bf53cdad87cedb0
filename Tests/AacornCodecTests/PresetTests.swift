import Testing

@testable import AacornCodec

/// Named settings.
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
    #expect(configuration.profile == profile)
    #expect(configuration.channelCount == channelCount)
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
    var state: UInt32 = 1
    let samples = (0..<frameCount * configuration.channelCount).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return Float(Int32(bitPattern: state) >> 18) / 32_768
    }
    encoder.encode(interleaved: samples.span)
    #expect(encoder.finish().sampleCount == frameCount)
    var bitCount = 0
    while let unit = encoder.nextAccessUnit() { bitCount += 8 * unit.bytes.count }
    // Noise uses all available bits.
    let share = Double(bitCount) / Double(seconds * configuration.rateControl.nominalBitrate)
    #expect(share > 0.95 && share < 1.05)
  }
}
