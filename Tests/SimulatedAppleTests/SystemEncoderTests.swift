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
      #expect(plain.bitrates.contains(64_000...64_000))
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

    @Test(arguments: [1, 1000, 50_000] as [UInt32])
    func outputIsIndependentOfConverterFetchSize(frameCount: UInt32) throws {
      let expected = try encode(Self.wave(9000), AACSystemEncoder(Self.stereo))
      SimulatedConverters.changes.requestedFrameCount = frameCount
      let found = try encode(Self.wave(9000), AACSystemEncoder(Self.stereo), by: 502)
      #expect(found.units.map(\.bytes) == expected.units.map(\.bytes))
      #expect(found.trim == expected.trim)
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
  }
}
