/// The content of an individual_channel_stream (ISO/IEC 14496-3, 4.4.2.7).
///
/// Arrays with one value per band are indexed `group * window.bandCount + band`.
public struct ParsedChannel: Equatable, Sendable {
  /// ics_info: the windows, their grouping and how many bands are sent.
  @frozen
  public struct Window: Equatable, Sendable {
    /// The sequence of windows.
    public var sequence: WindowSequence = .onlyLong
    /// The shape of the right half.
    public var shape: WindowShape = .sine
    /// Bands sent in each group (max_sfb).
    public var bandCount = 0
    /// Number of window groups; 1 for a long window.
    public var groupCount = 1
    /// Windows in each group.
    public var groupLengths: SIMD8<UInt8> = SIMD8(1, 0, 0, 0, 0, 0, 0, 0)
    /// Whether the reserved bit, which must be zero, is set.
    public var hasReservedBit = false

    /// One long window without bands.
    public init() {}

    /// Whether there are eight short windows.
    public var isShort: Bool { sequence == .eightShort }
  }

  /// A filter of temporal noise shaping.
  @frozen
  public struct NoiseShapingFilter: Equatable, Sendable {
    /// The window it works on; 0 for a long window.
    public var window: Int
    /// Bands it spans, counted down from where the previous filter ended.
    public var length: Int
    /// Its order; 0 if it only takes up bands.
    public var order: Int
    /// Whether it runs downward from the top of its region.
    public var isDownward: Bool
    /// Resolution of a coefficient in bits: 3 or 4.
    public var resolution: Int
    /// Where its `order` coefficients start in `noiseShapingCoefficients`.
    public var firstCoefficient: Int
  }

  /// A magnitude added to one line.
  @frozen
  public struct Pulse: Equatable, Sendable {
    /// The index of the spectral line.
    public var line: Int
    /// The value added to its magnitude.
    public var amplitude: Int
  }

  /// The windows and bands.
  public var window = Window()
  /// The initial scalefactor.
  public var globalGain = 0
  /// For each band, its codebook.
  public var codebooks: [UInt8] = []
  /// For each band, its scalefactor, noise energy or intensity position; 0 in silent bands.
  public var scaleFactors: [Int16] = []
  /// For each band, whether it is coded as mid and side; only in a pair's first channel.
  public var midSideFlags: [Bool] = []
  /// Pulses; empty if there are none.
  public var pulses: [Pulse] = []
  /// Filters of temporal noise shaping, in bitstream order.
  public var noiseShapingFilters: [NoiseShapingFilter] = []
  /// Coefficient indices of all filters, one filter after another.
  public var noiseShapingCoefficients: [Int8] = []
  /// The quantized lines, in window order, before pulses; empty unless requested.
  public var spectrum: [Int32] = []
  /// The number of sections, each with one codebook.
  public var sectionCount = 0
  /// The number of bands filled with noise.
  public var noiseBandCount = 0
  /// The number of bands that are scaled copies of the first channel's.
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

  /// A channel without bands.
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
