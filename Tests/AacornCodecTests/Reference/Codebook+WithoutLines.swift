import AacornCodec

extension Codebook {
  /// The books of bands that have no lines of their own.
  static var withoutLines: [UInt8] { [noise, intensityOutOfPhase, intensityInPhase] }
}
