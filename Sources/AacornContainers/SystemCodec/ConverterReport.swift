import AacornCodec

/// What a converter says of the stream that it makes, once it has been told everything.
struct ConverterReport: Equatable {
  /// What a decoder must know.
  let stream: AudioSpecificConfig
  /// How packets map to samples.
  let timing: StreamTiming
  /// The bytes in which the system has the former.
  let magicCookie: [UInt8]
  /// The bytes of the largest packet.
  let largestPacket: Int

  /// What was read of a converter, for the configuration that it was made for.
  init(
    _ configuration: SystemEncoderConfiguration, magicCookie: [UInt8], outputFormat: [UInt8],
    priming: [UInt8], largestPacket: [UInt8], bitrate: Int
  ) throws(AACBackEndError) {
    guard let found = MagicCookie.configuration(in: magicCookie) else { throw .noConfiguration }
    let stream = Self.complete(found, for: configuration)
    guard stream.objectType.rawValue == configuration.profile.objectType,
      stream.outputSampleRate == configuration.sampleRate,
      stream.outputChannelCount == configuration.channelCount,
      (stream.extensionSampleRate != nil) == configuration.isReplicated
    else {
      throw .unexpectedStream(
        sampleRate: stream.outputSampleRate, channelCount: stream.outputChannelCount)
    }
    // Behind the rate, the four characters, the flags, and the bytes of a packet.
    let told = ConverterValue.number(in: outputFormat, at: 20) ?? 0
    guard let delay = ConverterValue.number(in: priming), delay <= 1 << 20, told <= 1 << 16,
      let room = ConverterValue.number(in: largestPacket), room > 0, room <= 1 << 20
    else { throw .noConfiguration }
    self.stream = stream
    self.magicCookie = magicCookie
    self.largestPacket = Int(room)
    timing = StreamTiming(
      sampleRate: configuration.sampleRate,
      samplesPerUnit: told > 0 ? Int(told) : configuration.profile.samplesPerUnit,
      priming: Int(delay), nominalBitrate: bitrate)
  }

  /// Adds what the system leaves to the frames to say.
  private static func complete(
    _ found: AudioSpecificConfig, for configuration: SystemEncoderConfiguration
  ) -> AudioSpecificConfig {
    var stream = found
    if !configuration.isReplicated { return stream }
    if stream.extensionSampleRate == nil, stream.sampleRate * 2 == configuration.sampleRate {
      stream.extensionSampleRate = configuration.sampleRate
    }
    if configuration.profile == .highEfficiencyV2, stream.channelConfiguration == 1 {
      stream.hasParametricStereo = true
    }
    if let signaling = configuration.signaling { stream.signaling = signaling }
    return stream
  }
}
