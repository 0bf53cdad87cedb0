import AacornCodec

extension Codebook {
  /// The codebooks of bands without coded lines.
  static var withoutLines: [UInt8] { [noise, intensityOutOfPhase, intensityInPhase] }
}
