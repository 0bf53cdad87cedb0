/// How finely stereo is described, by the bitrate.
struct StereoSettings: Sendable {
  /// The header of the stream.
  let header: StereoHeader
  /// Most envelopes between equal borders.
  let envelopeCount: Int

  /// What a bitrate in bits per second affords.
  init(bitrate: Int) {
    // Ten bands, or twenty of 31 levels; coherences mixed by procedure Ra.
    let isFine = bitrate >= 20_000
    header = StereoHeader(
      hasLevels: true, levelMode: isFine ? 4 : 0, hasCoherences: true,
      coherenceMode: isFine ? 1 : 0)
    envelopeCount = bitrate < 28_000 ? 2 : 4
  }
}
