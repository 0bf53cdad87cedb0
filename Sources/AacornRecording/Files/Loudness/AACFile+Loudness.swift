extension AACFile.Summary {
  /// What was measured of a sound before it was encoded, and what was done about its loudness.
  public struct Loudness: Equatable, Sendable {
    /// The loudness without the gain in LUFS; nil for silence and for less than 0.4 seconds.
    public internal(set) var integrated: Float?
    /// The loudness range in LU; nil for silence and for less than 3 seconds.
    public internal(set) var range: Float?
    /// The true peak without the gain in dBTP; −∞ for silence.
    public internal(set) var truePeak: Float
    /// The gain that was applied in decibels; 0 for none.
    public internal(set) var gain: Float
    /// The loudness with the gain in LUFS, measured behind the limiter where there is one; nil as
    /// without the gain.
    public internal(set) var encoded: Float?
    /// Whether true peaks were limited behind the gain, because they would have been too high.
    public internal(set) var isLimited: Bool
    /// By how many LU the sound is quieter than what was asked for, as more gain would only be
    /// limited away, or lift noise; 0 if that is 0.1 at most.
    public internal(set) var shortfall: Float
  }
}
