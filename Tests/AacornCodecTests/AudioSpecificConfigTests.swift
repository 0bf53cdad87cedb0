import AacornCodec
import Testing

@Suite struct AudioSpecificConfigTests {
  @Test func configVectorsRoundTrip() throws {
    let configs = try FormatVectors.load().configs
    #expect(configs.count == 14)
    for vector in configs {
      let config = try #require(AudioSpecificConfig(parsing: vector.bytes), "\(vector.desc)")
      #expect(config.bytes == vector.bytes, "\(vector.desc)")
    }
  }

  @Test(arguments: [
    ("AAC-LC 44.1 kHz stereo", 44_100, 2, 2), ("AAC-LC 44.1 kHz mono", 44_100, 1, 1),
    ("AAC-LC 48 kHz stereo", 48_000, 2, 2), ("AAC-LC 48 kHz 5.1", 48_000, 6, 6),
    ("AAC-LC 48 kHz 7.1 (config 7)", 48_000, 7, 8),
    ("AAC-LC 48 kHz 7.1 (config 12)", 48_000, 12, 8),
    ("AAC-LC explicit 37800 Hz stereo", 37_800, 2, 2),
  ])
  func plainConfigurationsSayRateAndChannels(
    desc: String, rate: Int, configuration: Int, channels: Int
  ) throws {
    let config = try #require(AudioSpecificConfig(parsing: try FormatVectors.bytes(desc)))
    #expect(config == .test(rate: rate, channels: configuration))
    #expect(config.outputSampleRate == rate && config.channelCount == channels)
    #expect(config.signaling == .implicit && config.profile == .lowComplexity)
  }

  @Test func parserReadsShortFrameLength() throws {
    let bytes = try FormatVectors.bytes("AAC-LC 48 kHz stereo, 960-line frames")
    #expect(
      AudioSpecificConfig(parsing: bytes) == .test(rate: 48_000, channels: 2, frameLength: 960))
  }

  @Test func typesArePrintedAsInOtherPrograms() {
    #expect("\(AudioObjectType.lowComplexity)" == "AAC LC")
    #expect("\(AudioObjectType.spectralBandReplication)" == "HE-AAC")
    #expect("\(AudioObjectType(rawValue: 36))" == "audio object type 36")
  }

  /// Parametric stereo converts one channel to two; its object type is 29.
  @Test(
    arguments: [
      (.implicit, [0x13, 0x88]),
      (.backwardCompatible, [0x13, 0x88, 0x56, 0xE5, 0xA5, 0x48, 0x80]),
      (.hierarchical, [0xEB, 0x8A, 0x08, 0x00]),
    ] as [(AudioSpecificConfig.Signaling, [UInt8])])
  func configSignalsParametricStereoLikeBandReplication(
    signaling: AudioSpecificConfig.Signaling, bytes: [UInt8]
  ) throws {
    var config = AudioSpecificConfig.test(rate: 22_050)
    let core = config
    config.extensionSampleRate = 44_100
    config.hasParametricStereo = true
    config.signaling = signaling
    #expect(config.bytes == bytes)
    #expect(AudioSpecificConfig(parsing: bytes) == (signaling == .implicit ? core : config))
  }

  @Test func programConfigReportsChannelCount() throws {
    let bytes = try FormatVectors.bytes(
      "AAC-LC 44.1 stereo via PCE (channelConfiguration 0, one front CPE tag 0)")
    let config = try #require(AudioSpecificConfig(parsing: bytes))
    #expect(config.channelConfiguration == 0)
    #expect(config.channelCount == 2)
    #expect(config.programConfig?.front == [ProgramConfig.Element(isPair: true, tag: 0)])
  }

  @Test func parserRejectsTruncatedCore() throws {
    for desc in ["AAC-LC explicit 37800 Hz stereo", "AAC-LC 48 kHz 5.1"] {
      let bytes = try FormatVectors.bytes(desc)
      for count in 0..<bytes.count {
        #expect(AudioSpecificConfig(parsing: Array(bytes.prefix(count))) == nil)
      }
    }
  }

  @Test func parserRejectsReservedRates() {
    // Object type 2, rate index 13 or 14, two channels.
    #expect(AudioSpecificConfig(parsing: [0x16, 0x90]) == nil)
    #expect(AudioSpecificConfig(parsing: [0x17, 0x10]) == nil)
    // An explicit sampling frequency of zero.
    #expect(AudioSpecificConfig(parsing: [0x17, 0x80, 0, 0, 0x10]) == nil)
  }

  @Test(arguments: SamplingFrequency.all.map(\.hertz) + [12_345, 48_001, 1, 96_001, 16_777_215])
  func everySamplingRateRoundTrips(rate: Int) {
    for channels in 1...7 {
      let config = AudioSpecificConfig.test(rate: rate, channels: channels)
      #expect(AudioSpecificConfig(parsing: config.bytes) == config)
    }
  }

  @Test(arguments: [23, 39])
  func lowDelayFramesHaveHalfLength(type: UInt8) throws {
    var config = AudioSpecificConfig.test(AudioObjectType(rawValue: type), channels: 2)
    // For these object types, `bytes` contains only the common fields. Append the missing
    // type-specific ones.
    let whole = try #require(AudioSpecificConfig(parsing: config.bytes + [0]))
    #expect(whole.samplesPerFrame == 512)
    config.frameLength = 960
    let short = try #require(AudioSpecificConfig(parsing: config.bytes + [0]))
    #expect(short.samplesPerFrame == 480)
  }

  @Test func objectTypesAbove31UseTheEscape() {
    let config = AudioSpecificConfig.test(AudioObjectType(rawValue: 42), channels: 2)
    #expect(AudioSpecificConfig(parsing: config.bytes)?.objectType.rawValue == 42)
    #expect(config.bytes[0] >> 3 == 31)
  }
}
