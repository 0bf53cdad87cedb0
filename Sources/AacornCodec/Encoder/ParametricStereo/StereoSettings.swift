/// How finely stereo is described, by the bitrate.
struct StereoSettings: Sendable {
  /// The header of the stream.
  let header: StereoHeader
  /// Most envelopes between equal borders.
  let envelopeCount: Int

  /// What a bitrate in bits per second affords.
  init(bitrate: Int) {
    // Ten or twenty bands, and then twenty of 31 levels; coherences mixed by procedure Ra.
    header = StereoHeader(
      hasLevels: true, levelMode: bitrate < 22_000 ? 0 : bitrate < 40_000 ? 1 : 4,
      hasCoherences: true, coherenceMode: bitrate < 22_000 ? 0 : 1)
    envelopeCount = bitrate < 28_000 ? 1 : bitrate < 48_000 ? 2 : 4
  }
}
