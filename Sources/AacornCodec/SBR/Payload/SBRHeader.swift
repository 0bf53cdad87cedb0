/// sbr_header (ISO/IEC 14496-3, table 4.63): the settings that rarely change.
struct SBRHeader: Equatable, Sendable {
  /// Whether steps are 3 dB rather than 1.5 dB.
  var isCoarse = false
  /// The fields that determine the frequency tables.
  var spectrum = Spectrum()
  /// The index, 0…3, of the number of limiter bands: one in all, or 1.2, 2 or 3 per octave.
  var limiterBands = 2
  /// The index, 0…3, of the limiter's gain: −3 dB, 0 dB, 3 dB or no limit.
  var limiterGain = 2
  /// Whether energies are estimated for each band of the filter bank, not for each envelope band.
  var interpolatesFrequency = true
  /// Whether gains change between envelopes in several steps.
  var isSmoothed = false

  /// The fields whose change builds new tables (4.6.18.3.1).
  struct Spectrum: Equatable, Sendable {
    var startFrequency = 0
    var stopFrequency = 0
    var crossoverBand = 0
    var frequencyScale = 2
    var isAltered = true
    var noiseBands = 2
  }

  init() {}

  init(_ bits: inout BitReader) {
    isCoarse = bits.readFlag()
    spectrum.startFrequency = bits.readInt(4)
    spectrum.stopFrequency = bits.readInt(4)
    spectrum.crossoverBand = bits.readInt(3)
    bits.skip(2)
    let hasScale = bits.readFlag()
    let hasLimiter = bits.readFlag()
    if hasScale {
      spectrum.frequencyScale = bits.readInt(2)
      spectrum.isAltered = bits.readFlag()
      spectrum.noiseBands = bits.readInt(2)
    }
    if hasLimiter {
      limiterBands = bits.readInt(2)
      limiterGain = bits.readInt(2)
      interpolatesFrequency = bits.readFlag()
      isSmoothed = !bits.readFlag()
    }
  }

  /// Writes sbr_header; omits optional fields with default values.
  func put(to bits: inout some BitSink) {
    let defaults = SBRHeader()
    let hasScale =
      spectrum.frequencyScale != defaults.spectrum.frequencyScale
      || spectrum.isAltered != defaults.spectrum.isAltered
      || spectrum.noiseBands != defaults.spectrum.noiseBands
    let hasLimiter =
      limiterBands != defaults.limiterBands || limiterGain != defaults.limiterGain
      || interpolatesFrequency != defaults.interpolatesFrequency
      || isSmoothed != defaults.isSmoothed
    bits.put(isCoarse ? 1 : 0, count: 1)
    bits.put(UInt32(spectrum.startFrequency), count: 4)
    bits.put(UInt32(spectrum.stopFrequency), count: 4)
    bits.put(UInt32(spectrum.crossoverBand), count: 3)
    bits.put(0, count: 2)
    bits.put(hasScale ? 1 : 0, count: 1)
    bits.put(hasLimiter ? 1 : 0, count: 1)
    if hasScale {
      bits.put(UInt32(spectrum.frequencyScale), count: 2)
      bits.put(spectrum.isAltered ? 1 : 0, count: 1)
      bits.put(UInt32(spectrum.noiseBands), count: 2)
    }
    if hasLimiter {
      bits.put(UInt32(limiterBands), count: 2)
      bits.put(UInt32(limiterGain), count: 2)
      bits.put(interpolatesFrequency ? 1 : 0, count: 1)
      bits.put(isSmoothed ? 0 : 1, count: 1)
    }
  }
}
