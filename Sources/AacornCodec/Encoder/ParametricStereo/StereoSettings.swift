/// The resolution of the stereo description, derived from the bitrate.
struct StereoSettings: Sendable {
  let header: StereoHeader
  /// The maximum number of envelopes of equal length.
  let envelopeCount: Int

  /// Chooses the settings for a bitrate in bits per second.
  init(bitrate: Int) {
    // Ten bands of 15 levels, or twenty of 31 levels. Both modes of coherences mean procedure Ra.
    let isFine = bitrate >= 20_000
    header = StereoHeader(
      hasLevels: true, levelMode: isFine ? 4 : 0, hasCoherences: true,
      coherenceMode: isFine ? 1 : 0)
    envelopeCount = bitrate < 28_000 ? 2 : 4
  }
}
