import AacornCodec

/// The properties of the stream that a fully configured converter makes.
struct ConverterReport: Equatable {
  /// The decoder's configuration.
  let stream: AudioSpecificConfig
  /// The mapping of packets to samples.
  let timing: StreamTiming
  /// The decoder's configuration in the bytes of the system.
  let magicCookie: [UInt8]
  /// The size of the largest packet, in bytes.
  let largestPacket: Int

  /// Parses the properties of a converter that was made for `configuration`.
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
    // `mFramesPerPacket` follows the rate, the format ID, the flags and the bytes per packet.
    let framesPerPacket = ConverterValue.number(in: outputFormat, at: 20) ?? 0
    guard let delay = ConverterValue.number(in: priming), delay <= 1 << 20,
      framesPerPacket <= 1 << 16,
      let room = ConverterValue.number(in: largestPacket), room > 0, room <= 1 << 20
    else { throw .noConfiguration }
    self.stream = stream
    self.magicCookie = magicCookie
    self.largestPacket = Int(room)
    timing = StreamTiming(
      sampleRate: configuration.sampleRate,
      samplesPerUnit: framesPerPacket > 0
        ? Int(framesPerPacket) : configuration.profile.samplesPerUnit,
      priming: Int(delay), nominalBitrate: bitrate)
  }

  /// Adds the extensions that the system signals only in the frames.
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
