package import AacornCodec

extension StreamReport {
  /// Channels of the decoded sound; 0 if unknown.
  package var outputChannelCount: Int {
    hasParametricStereo ? 2 : configuration?.outputChannelCount ?? 0
  }

  /// Their layout, if it is one of the fixed ones.
  package var outputLayout: ChannelConfiguration? {
    guard let configuration else { return nil }
    if hasParametricStereo { return ChannelConfiguration(channelCount: 2) }
    return ChannelConfiguration(rawValue: configuration.channelConfiguration)
  }
}
