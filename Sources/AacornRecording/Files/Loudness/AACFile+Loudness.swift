extension AACFile.Summary {
  /// The measured loudness of an input before encoding, and the applied gain.
  public struct Loudness: Equatable, Sendable {
    /// The loudness without the gain in LUFS; nil for silence and for less than 0.4 seconds.
    public internal(set) var integrated: Float?
    /// The loudness range in LU; nil for silence and for less than 3 seconds.
    public internal(set) var range: Float?
    /// The true peak without the gain in dBTP; −∞ for silence.
    public internal(set) var truePeak: Float
    /// The gain that was applied in decibels; 0 for none.
    public internal(set) var gain: Float
    /// The loudness with the gain in LUFS, measured after the limiter if there is one; nil for
    /// silence and for less than 0.4 seconds.
    public internal(set) var encoded: Float?
    /// Whether the true peaks were limited after the gain.
    public internal(set) var isLimited: Bool
    /// The amount in LU by which the requested loudness was missed, because more gain would only
    /// cause limiting or amplify noise; 0 if it is at most 0.1 LU.
    public internal(set) var shortfall: Float
  }
}
