/// Names of predefined chains of effects.
public enum EffectPreset: String, CaseIterable, Sendable {
  /// A voice near the microphone.
  case speech
  /// Several voices, not all near their microphones.
  case interview
  /// Music that needs only a little compression.
  case music
  /// The high and even loudness of radio programs.
  case broadcast

  /// The textual form of the chain.
  public var text: String {
    switch self {
    case .speech:
      "highpass 80Hz, gate -50dB depth=20dB, compressor 3:1 -20dB makeup=4dB, "
        + "deesser 6500Hz -30dB, limiter -1dB"
    case .interview:
      "highpass 100Hz, expander 1.5:1 -45dB depth=12dB, loudness -18LUFS, "
        + "compressor 2.5:1 -20dB makeup=2dB, deesser 6500Hz -30dB, limiter -1dB"
    case .music:
      "highpass 20Hz, compressor 1.5:1 -20dB knee=12dB attack=30ms release=250ms, limiter -1dB"
    case .broadcast:
      "highpass 60Hz slope=24dB, compressor 4:1 -24dB knee=10dB makeup=6dB, "
        + "loudness -16LUFS depth=6dB, limiter -1dB release=60ms"
    }
  }
}
