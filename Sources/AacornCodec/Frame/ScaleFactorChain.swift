/// The last values of the three chains in scale_factor_data.
///
/// Scalefactors, intensity positions and noise energies are each sent as differences from the last
/// value of their kind (ISO/IEC 14496-3, 4.6.2.3, 4.6.8.2.3 and 4.6.13.3).
struct ScaleFactorChain {
  /// The last scalefactor of a band with lines.
  var scaleFactor: Int
  var intensityPosition = 0
  var noiseEnergy: Int
  /// Whether a noise energy was coded; the first one has no codeword.
  var hasNoise = false

  /// Creates the values before the first band, which follow from the global gain.
  init(globalGain: Int) {
    scaleFactor = globalGain
    noiseEnergy = globalGain - Self.firstNoiseDistance
  }

  /// The distance of the first noise energy's prediction below the global gain.
  private static let firstNoiseDistance = 90
  /// The width in bits of the first noise energy's difference.
  static let firstNoiseWidth = 9
  /// The offset of the first noise energy's difference, so that it is not negative.
  static let firstNoiseOffset = 256
}
