extension AudioSpecificConfig {
  /// The distance, in units, between the units of this encoder at which decoding can begin.
  ///
  /// With band replication, decoding begins at a header. The encoder sends a header every
  /// `entryDistance` units, counted from its first unit.
  package var entryDistance: Int {
    guard let rate = extensionSampleRate else { return 1 }
    return ReplicationSettings.headerDistance(rate: rate)
  }

  /// Channels of the decoded sound.
  package var outputChannelCount: Int { hasParametricStereo ? 2 : channelCount }
}
