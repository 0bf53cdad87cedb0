/// The three chains that run through scale_factor_data: scalefactors, intensity positions and noise
/// energies, each sent as differences from its last value (ISO/IEC 14496-3, 4.6.2.3, 4.6.8.2.3 and
/// 4.6.13.3).
struct ScaleFactorChain {
  /// The last scalefactor of a band with lines.
  var scaleFactor: Int
  /// The last intensity position.
  var intensityPosition = 0
  /// The last noise energy.
  var noiseEnergy: Int
  /// Whether there has been a noise energy; the first is not sent in a codeword.
  var hasNoise = false

  /// The chains before the first band.
  init(globalGain: Int) {
    scaleFactor = globalGain
    noiseEnergy = globalGain - Self.firstNoiseDistance
  }

  /// How far below the global gain the chain of noise energies starts.
  private static let firstNoiseDistance = 90
  /// Bits of the first noise energy's difference.
  static let firstNoiseWidth = 9
  /// Added to the first noise energy's difference, so that it is not negative.
  static let firstNoiseOffset = 256

  /// The largest difference that a codeword can stand for.
  static let largestDifference = 60

  /// The bits of a difference, −60…60.
  @inline(__always)
  static func bits(_ difference: Int) -> Int {
    Int(ScaleFactorCodewords.lengths[difference + largestDifference])
  }
}
