package import AacornCodec

extension StreamReport {
  /// Channels of the decoded sound; 0 if unknown.
  package var outputChannelCount: Int {
    hasParametricStereo ? 2 : configuration?.outputChannelCount ?? 0
  }

  /// A configuration of the stream, completed by what only the frames tell.
  func completed(_ stream: AudioSpecificConfig) -> AudioSpecificConfig {
    var stream = stream
    if hasSpectralBandReplication && stream.extensionSampleRate == nil {
      stream.extensionSampleRate = stream.sampleRate &* 2
    }
    if hasParametricStereo { stream.hasParametricStereo = true }
    return stream
  }

  /// Their layout, if it is one of the fixed ones.
  package var outputLayout: ChannelConfiguration? {
    guard let configuration else { return nil }
    if hasParametricStereo { return ChannelConfiguration(channelCount: 2) }
    return ChannelConfiguration(rawValue: configuration.channelConfiguration)
  }
}
