import AacornSignal

/// The content of an individual_channel_stream (ISO/IEC 14496-3, 4.4.2.7).
///
/// Arrays with one value per band are indexed `group * window.bandsPerGroup + band`.
public struct ParsedChannel: Equatable, Sendable {
  /// A magnitude added to one line.
  @frozen
  public struct Pulse: Equatable, Sendable {
    /// The index of the spectral line.
    public var line: Int
    /// The value added to its magnitude.
    public var amplitude: Int
  }

  /// The windows and bands.
  public var window = WindowInfo()
  /// The initial scalefactor.
  public var globalGain = 0
  /// The codebook of each band.
  public var codebooks: [UInt8] = []
  /// The scalefactor, noise energy or intensity position of each band; 0 in silent bands.
  public var scaleFactors: [Int16] = []
  /// Whether each band is coded as mid and side; only in a pair's first channel.
  public var midSideFlags: [Bool] = []
  /// The pulses; empty if there are none.
  public var pulses: [Pulse] = []
  /// The filters of temporal noise shaping, in bitstream order.
  public var noiseShapingFilters: [NoiseShapingFilter] = []
  /// The coefficient indices of all filters, one filter after another.
  public var noiseShapingCoefficients: [Int8] = []
  /// The quantized lines, in window order, before pulses; empty unless requested.
  public var spectrum: [Int16] = []
  /// The number of sections, each with one codebook.
  public var sectionCount = 0
  /// The number of bands filled with noise.
  public var noiseBandCount = 0
  /// The number of bands that are scaled copies of the first channel's bands.
  public var intensityBandCount = 0
  /// Whether the TNS flag is set, with or without filters.
  public var hasNoiseShaping = false
  /// Bits of the codebooks.
  public var sectionBits = 0
  /// Bits of scalefactors, noise energies and intensity positions.
  public var scaleFactorBits = 0
  /// Bits of the whole individual_channel_stream except the spectrum.
  public var sideInformationBits = 0
  /// Bits of the spectrum.
  public var spectralBits = 0

  /// Creates a channel without bands.
  public init() {}

  /// Removes everything except the window and the M/S flags, but keeps the storage.
  mutating func removeContent() {
    globalGain = 0
    codebooks.removeAll(keepingCapacity: true)
    scaleFactors.removeAll(keepingCapacity: true)
    pulses.removeAll(keepingCapacity: true)
    noiseShapingFilters.removeAll(keepingCapacity: true)
    noiseShapingCoefficients.removeAll(keepingCapacity: true)
    spectrum.removeAll(keepingCapacity: true)
    sectionCount = 0
    noiseBandCount = 0
    intensityBandCount = 0
    hasNoiseShaping = false
    sectionBits = 0
    scaleFactorBits = 0
    sideInformationBits = 0
    spectralBits = 0
  }
}

/// The backward prediction of a channel of object type Main (ISO/IEC 14496-3, table 4.6).
@frozen
public struct BackwardPrediction: Equatable, Sendable {
  /// The group of predictors to reset, 1…30; 0 if there is none.
  public var resetGroup = 0
  /// The number of bands that can be predicted.
  var bandCount = 0
  /// A bit for each predicted band, the lowest for the first band.
  public var bands: UInt64 = 0

  /// Creates a prediction without predicted bands.
  public init() {}
}

/// The long-term prediction of a channel of object type LTP (ISO/IEC 14496-3, table 4.55).
@frozen
public struct LongTermPrediction: Equatable, Sendable {
  /// The distance back to the earlier audio from which the frame is predicted, in samples.
  public var lag = 0
  /// The index of the gain, 0…7.
  public var gainIndex = 0
  /// The maximum number of bands that can be predicted.
  static let maxBandCount = 40
  /// A bit for each predicted band, the lowest for the first band.
  public var bands: UInt64 = 0

  /// Creates a prediction without predicted bands.
  public init() {}
}

/// A filter of temporal noise shaping as coded (ISO/IEC 14496-3, 4.6.9 and table 4.54).
@frozen
public struct NoiseShapingFilter: Equatable, Sendable {
  /// The index of the window that it filters; 0 for a long window.
  public var window: Int
  /// The number of bands it spans, downward from the lowest band of the previous filter, or from
  /// the top.
  public var length: Int
  /// Its order; 0 if it only skips bands.
  public var order: Int
  /// Whether the filter runs downward from the top of its region.
  public var isDownward: Bool
  /// The resolution of a coefficient in bits: 3 or 4.
  public var resolution: Int
  /// The index of its first coefficient in `noiseShapingCoefficients`; it has `order` of them.
  public var firstCoefficient: Int

  /// The widths of the fields in bits, which are shorter for eight windows.
  struct FieldWidths {
    let count: Int
    let length: Int
    let order: Int

    init(isShort: Bool) {
      count = isShort ? 1 : 2
      length = isShort ? 4 : 6
      order = isShort ? 3 : 5
    }
  }

  /// Returns the reflection coefficient of an index: sin(index·π/2 / (2^(b−1) ∓ ½)), with b bits of
  /// resolution (4.6.9.3).
  static func reflection(_ index: Int, resolution: Int) -> Double {
    let steps = Double(1 << resolution) + (index < 0 ? 1 : -1)
    let value = ElementaryFunctions.sinCosPi(Double(abs(index)) / steps).sin
    return index < 0 ? -value : value
  }
}
