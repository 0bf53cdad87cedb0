extension AudioSpecificConfig {
  /// How many units apart those of this encoder are with which a decoder can begin.
  ///
  /// Band replication has to wait for its header, which comes with every so many units, counted from
  /// the encoder's first.
  package var entryDistance: Int {
    guard let rate = extensionSampleRate else { return 1 }
    return ReplicationSettings.headerDistance(rate: rate)
  }

  /// Channels of the decoded sound.
  package var outputChannelCount: Int { hasParametricStereo ? 2 : channelCount }
}
