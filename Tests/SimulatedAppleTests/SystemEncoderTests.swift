import AacornCodec
import AacornSignal
import CoreAudioTypes
import SimulatedApple
import SimulatedAudio
import Testing

@testable import AacornApple

extension OnSimulatedApple {
  /// The encoder of the system, from this package's calls to the packets.
  @Suite struct SystemEncoder {
    typealias Profile = SystemEncoderConfiguration.Profile

    init() {
      OwnCodec.install()
    }

    private static let stereo = SystemEncoderConfiguration(
      sampleRate: 48_000, channelCount: 2, rateControl: .constant(bitsPerSecond: 128_000))

    private static func stereo(_ profile: Profile, _ bitrate: Int) -> SystemEncoderConfiguration {
      SystemEncoderConfiguration(
        sampleRate: 48_000, channelCount: 2, profile: profile,
        rateControl: .constant(bitsPerSecond: bitrate))
    }

    /// Returns a slow sine, the same in both channels.
    private static func wave(_ frameCount: Int) -> [Float] {
      (0..<frameCount * 2).map { index in
        let phase = Float(index / 2 % 200) / 100 - 1
        return 2 * phase * (1 - abs(phase))
      }
    }

    /// Encodes samples in pieces, and returns all access units.
    private func encode(
      _ samples: [Float], _ encoder: AACSystemEncoder, by count: Int = 3334
    ) throws(AACBackEndError) -> (units: [AccessUnit], trim: StreamTrim) {
      var units: [AccessUnit] = []
      var unit = AccessUnit()
      var start = 0
      while start < samples.count {
        let end = min(samples.count, start + count)
        try encoder.encode(interleaved: samples.span.extracting(start..<end))
        while try encoder.nextAccessUnit(into: &unit) { units.append(unit) }
        start = end
      }
      let trim = try encoder.finish()
      while try encoder.nextAccessUnit(into: &unit) { units.append(unit) }
      return (units, trim)
    }

    /// Encodes with a counting codec; throws the encoder's error.
    private func count(
      _ frameCount: Int, _ configuration: SystemEncoderConfiguration = stereo
    ) throws -> (units: [AccessUnit], trim: StreamTrim) {
      SimulatedConverters.maker = nil
      return try encode(Self.wave(frameCount), AACSystemEncoder(configuration))
    }

    // MARK: Sound

    @Test(
      arguments: [
        (.lowComplexity, 128_000, 0.01), (.highEfficiency, 64_000, 0.2),
        (.highEfficiencyV2, 32_000, 0.2),
      ] as [(Profile, Int, Float)])
    func decodedAudioMatchesTheInput(
      profile: Profile, bitrate: Int, tolerance: Float
    ) throws {
      let samples = Self.wave(30_000)
      let encoder = try AACSystemEncoder(Self.stereo(profile, bitrate))
      let (units, trim) = try encode(samples, encoder)
      #expect(trim == encoder.timing.trim(of: 30_000))
      #expect(encoder.timing.nominalBitrate == bitrate)
      #expect(SimulatedConverters.openCount == 1)
      var options = AACDecoder.Options()
      options.expectsParametricStereo = profile == .highEfficiencyV2
      var decoder = try AACDecoder(encoder.audioSpecificConfig, options: options)
      var decoded: [Float] = []
      for unit in units {
        _ = decoder.decode(unit.bytes)
        decoder.append(to: &decoded)
      }
      #expect(decoder.sampleRate == 48_000 && decoder.channelCount == 2)
      let trimmed = decoded.dropFirst(trim.priming * 2).prefix(trim.sampleCount * 2)
      #expect(trimmed.count == samples.count)
      var (error, power): (Float, Float) = (0, 0)
      for (one, other) in zip(trimmed, samples) {
        error += (one - other) * (one - other)
        power += other * other
      }
      #expect(error / power < tolerance * tolerance)
    }

    @Test(arguments: [false, true]) func theSystemsEncodersAreListed(hasHardware: Bool) throws {
      SimulatedConverters.changes.hasHardware = hasHardware
      let encoders = AACSystemEncoder.available()
      let profiles = SystemEncoderConfiguration.Profile.allCases
      #expect(encoders.filter { !$0.isHardware }.map(\.profile) == profiles)
      #expect(encoders.filter(\.isHardware).map(\.profile) == (hasHardware ? profiles : []))
      let plain = try #require(encoders.first)
      #expect(plain.bitrates.first == 64_000...64_000 && plain.bitrates.last == 320_000...320_000)
      #expect(plain.sampleRates.contains(44_100...44_100))
    }

    @Test func streamsHaveReadableDescriptions() {
      var description = AudioStreamBasicDescription(
        mSampleRate: 44_100, mFormatID: kAudioFormatLinearPCM, mFormatFlags: 1 << 2 | 1 << 3,
        mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 2,
        mBitsPerChannel: 16, mReserved: 0)
      #expect(
        description.formatText
          == "16-bit integers, 44100 Hz, 2 channels, interleaved, 4 bytes per frame")
      description.mFormatFlags = 1 << 0 | 1 << 1 | 1 << 3 | 1 << 5
      description.mBitsPerChannel = 32
      #expect(
        description.formatText
          == "32-bit floating point, 44100 Hz, 2 channels, not interleaved, big-endian, 4 bytes per frame"
      )
      var coded = AudioStreamBasicDescription()
      (coded.mSampleRate, coded.mFormatID) = (48_000, 0x6161_6320)
      (coded.mFramesPerPacket, coded.mChannelsPerFrame) = (1024, 1)
      #expect(coded.formatText == "AAC-LC, 48000 Hz, 1 channel, 1024 frames per packet")
      coded.mFormatID = 0x2E6D_7033
      #expect(coded.formatText.hasPrefix("“.mp3”, "))
    }

    @Test func anArrayIsTakenAsSpansAre() throws {
      let samples = Self.wave(5000)
      let standard = try encode(samples, AACSystemEncoder(Self.stereo)).units
      let encoder = try AACSystemEncoder(Self.stereo)
      try encoder.encode(interleaved: samples)
      #expect(try encode([], encoder).units == standard)
    }

    @Test func theUnitsAreThoseOfTheSameCodecWithoutAConverter() throws {
      let samples = Self.wave(20_000)
      let encoder = try AACSystemEncoder(Self.stereo)
      let (units, trim) = try encode(samples, encoder)
      let order = try #require(SimulatedConverters.orders.last)
      let codec = try OwnCodec(order)
      codec.take(samples)
      codec.end()
      var expected: [[UInt8]] = []
      while let bytes = codec.next() { expected.append(bytes) }
      #expect(units.map(\.bytes) == expected)
      #expect(encoder.magicCookie == codec.magicCookie)
      #expect(trim.priming == codec.leadingFrameCount && trim.sampleCount == 20_000)
    }

    @Test(arguments: [1, 100, 1024, 5000, 50_000] as [UInt32])
    func outputIsIndependentOfConverterFetchSize(frameCount: UInt32) throws {
      let expected = try encode(Self.wave(9000), AACSystemEncoder(Self.stereo))
      SimulatedConverters.changes.requestedFrameCount = frameCount
      let found = try encode(Self.wave(9000), AACSystemEncoder(Self.stereo), by: 502)
      #expect(found.units.map(\.bytes) == expected.units.map(\.bytes))
      #expect(found.trim == expected.trim)
    }

    @Test(arguments: [.lowDelay, .enhancedLowDelay] as [Profile])
    func theKindsOfLowDelayHaveShortUnits(profile: Profile) throws {
      let cookie: [UInt8] =
        profile == .lowDelay ? [0xB9, 0x91, 0x00] : [0xF8, 0xE6, 0x40, 0x00]
      SimulatedConverters.maker = {
        CountingCodec($0, magicCookie: cookie, leadingFrameCount: 480)
      }
      let encoder = try AACSystemEncoder(Self.stereo(profile, 64_000))
      let (units, trim) = try encode(Self.wave(3000), encoder)
      #expect(encoder.magicCookie == cookie)
      #expect(units.count == 7 && units.allSatisfy { $0.sampleCount == 512 })
      #expect(trim == StreamTrim(priming: 480, remainder: 104, sampleCount: 3000))
    }

    // MARK: Configuration

    @Test func codecIsCreatedOnceWithTheConfiguration() throws {
      var configuration = Self.stereo
      configuration.quality = .highest
      _ = try AACSystemEncoder(configuration)
      #expect(SimulatedConverters.orders.count == 1)
      let order = try #require(SimulatedConverters.orders.first)
      #expect(order.rateControl == 0 && order.bitrate == 128_000 && order.quality == 127)
    }

    @Test func aVariableRateHasAQualityAndIsForOneKindAlone() throws {
      var configuration = Self.stereo
      configuration.rateControl = .variable(level: 4)
      #expect(try AACSystemEncoder(configuration).timing.nominalBitrate == 0)
      #expect(SimulatedConverters.orders.last?.variableQuality == 91)
      configuration.profile = .highEfficiency
      #expect(throws: AACBackEndError.self) { try AACSystemEncoder(configuration) }
    }

    @Test func theNearestBitrateThatTheSystemHasIsTaken() throws {
      #expect(
        try AACSystemEncoder(Self.stereo(.lowComplexity, 120_000)).timing.nominalBitrate
          == 112_000)
      #expect(
        try AACSystemEncoder(Self.stereo(.highEfficiency, 70_000)).timing.nominalBitrate == 64_000)
      let rejection = AACBackEndError.bitrateOutOfRange(
        requested: 128_000, lowest: 32_000, highest: 80_000)
      #expect(throws: rejection) { try AACSystemEncoder(Self.stereo(.highEfficiency, 128_000)) }
    }

    @Test func bitrateAppliedByCodecIsReported() throws {
      #expect(try AACSystemEncoder(Self.stereo).timing.nominalBitrate == 128_000)
      SimulatedConverters.changes.takenBitrate = 96_000
      #expect(try AACSystemEncoder(Self.stereo).timing.nominalBitrate == 96_000)
    }

    @Test func aBitrateThatTheSystemListsAndRefusesIsAnError() {
      SimulatedConverters.changes.rejections[ConverterPropertyNumber.bitrate] =
        ConverterCode.unsupportedFormat
      #expect(throws: AACBackEndError.self) { try AACSystemEncoder(Self.stereo) }
      SimulatedConverters.changes.rejections[ConverterPropertyNumber.bitrate] = -50
      #expect(throws: AACBackEndError.call(.configure, status: -50)) {
        try AACSystemEncoder(Self.stereo)
      }
    }

    @Test func unsupportedCodecPropertiesAreOptional() throws {
      for property in [ConverterPropertyNumber.rateControl, ConverterPropertyNumber.quality] {
        SimulatedConverters.changes.rejections[property] = ConverterCode.propertyNotSupported
      }
      #expect(try count(5000).trim.sampleCount == 5000)
    }

    @Test func ratesThatTheSystemDoesNotHaveAreRefused() {
      var configuration = Self.stereo
      configuration.sampleRate = 96_000
      #expect(throws: AACBackEndError.unsupportedFormat) { try AACSystemEncoder(configuration) }
      configuration = Self.stereo(.highEfficiencyV2, 32_000)
      configuration.sampleRate = 24_000
      #expect(throws: AACBackEndError.unsupportedFormat) { try AACSystemEncoder(configuration) }
    }

    @Test func availableHardwareIsUsed() throws {
      var configuration = Self.stereo
      configuration.processing = .hardware
      #expect(throws: AACBackEndError.unsupportedFormat) { try AACSystemEncoder(configuration) }
      SimulatedConverters.changes.hasHardware = true
      _ = try AACSystemEncoder(configuration)
      SimulatedConverters.changes.makeStatus = ConverterCode.noHardwarePermission
      #expect(throws: AACBackEndError.noHardwarePermission) { try AACSystemEncoder(configuration) }
      SimulatedConverters.changes.makeStatus = 0
      configuration.processing = .software
      _ = try AACSystemEncoder(configuration)
    }

    @Test func emptyCookieIsRejected() {
      SimulatedConverters.maker = {
        CountingCodec($0, magicCookie: [], leadingFrameCount: 2112)
      }
      #expect(throws: AACBackEndError.noConfiguration) { try AACSystemEncoder(Self.stereo) }
    }

    // MARK: The end, and failures

    @Test func atTheEndTheConverterIsFlushed() throws {
      let (units, trim) = try count(5000)
      // 5,000 samples after 2,112 samples of priming.
      #expect(units.count == 7)
      #expect(trim == StreamTrim(priming: 2112, remainder: 56, sampleCount: 5000))
    }

    @Test func missingFinalPacketsReduceTrim() throws {
      SimulatedConverters.changes.missingPacketCount = 2
      let (units, trim) = try count(5000)
      #expect(units.count == 5)
      #expect(
        trim == StreamTrim(priming: 2112, remainder: 0, sampleCount: 5 * 1024 - 2112))
    }

    @Test func emptyInputYieldsNoUnits() throws {
      let (units, trim) = try count(0)
      #expect(units.isEmpty && trim.sampleCount == 0)
    }

    @Test func encodingFailureThrowsAndClosesConverter() throws {
      SimulatedConverters.changes.failure = (packet: 3, status: ConverterCode.hardwareInUse)
      #expect(throws: AACBackEndError.hardwareInUse) { try count(20_000) }
      SimulatedConverters.changes.failure = (packet: 6, status: -108)
      #expect(throws: AACBackEndError.call(.encode, status: -108)) { try count(5000) }
    }
  }
}
