/// A de-esser: an equalizer peak whose attenuation depends on the level of its band, so that it
/// reduces sharp s sounds.
///
/// With the band-pass filter B of ``Biquad``, 1 + (g − 1)B is the filter of a peak with gain g. So
/// one filter both measures and attenuates the band.
public struct DeEsserEffect: Sendable {
  /// The settings of a de-esser.
  public struct Settings: Equatable, Sendable {
    /// The center of the band, in hertz.
    public var frequency: Double
    /// The level of the band above which attenuation begins, in dBFS.
    public var threshold: Double
    /// The rise of the input, in decibels, for each decibel of output above the threshold.
    public var ratio: Double
    /// The maximum attenuation, in decibels.
    public var depth: Double

    /// Creates settings; the defaults suit a voice.
    public init(
      frequency: Double = 6500, threshold: Double = -30, ratio: Double = 4, depth: Double = 12
    ) {
      self.frequency = frequency
      self.threshold = threshold
      self.ratio = ratio
      self.depth = depth
    }
  }

  /// The settings; see ``EffectRange`` for changes.
  public var settings: Settings {
    didSet {
      ramp.aim(at: Self.values(settings, ramp.sampleRate))
      filter.aim(at: Self.band(settings, ramp.sampleRate), section: 0)
    }
  }

  private var ramp: ParameterRamp
  private var compression = Compression()
  private var filter: FilterCascade
  /// The band-pass signal of a piece.
  private var band: [Float]

  private static let pieceLength = 256

  /// Creates the effect for interleaved channels.
  public init(_ settings: Settings = Settings(), channelCount: Int, sampleRate: Int) {
    self.settings = settings
    ramp = ParameterRamp(channelCount: channelCount, sampleRate: sampleRate) {
      Self.values(settings, $0)
    }
    filter = FilterCascade(
      [Self.band(settings, sampleRate)], channelCount: channelCount, sampleRate: sampleRate)
    band = [Float](repeating: 0, count: Self.pieceLength * ramp.channelCount)
  }

  /// The latency in frames: always 0.
  public var latency: Int { 0 }

  /// Processes whole interleaved frames in place.
  public mutating func process(_ samples: inout MutableSpan<Float>) {
    unsafe ramp.forEachPiece(of: &samples, limit: Self.pieceLength) { frames, values in
      unsafe Self.run(
        frames, factors: Compression.Factors(values), band: &band, filter: &filter,
        state: &compression)
    }
  }

  /// Clears all stored audio; the settings are kept and apply immediately.
  public mutating func reset() {
    ramp.jump()
    filter.reset()
    compression = Compression()
  }

  private static func run(
    _ frames: Frames, factors: Compression.Factors, band: inout [Float],
    filter: inout FilterCascade, state: inout Compression
  ) {
    let (samples, count) = unsafe (frames.samples, frames.count &* frames.channelCount)
    precondition(count <= band.count)
    unsafe band.withUnsafeMutableBufferPointer { band in
      guard let band = band.baseAddress else { return }
      for index in 0..<count {
        let sample = unsafe samples[index].sanitized
        unsafe samples[index] = sample
        unsafe band[index] = sample
      }
      unsafe filter.run(band, frames.count)
      var compression = state
      // The excess remains in the band.
      let excess = unsafe Frames(
        samples: band, count: frames.count, channelCount: frames.channelCount)
      unsafe excess.applyGains { levels, count in
        1 - compression.gains(levels, count: count, factors: factors)
      }
      state = compression
      for index in 0..<count { unsafe samples[index] -= band[index] }
    }
  }

  private static func values(_ settings: Settings, _ sampleRate: Int) -> SIMD8<Double> {
    let compressor = CompressorEffect.Settings(
      ratio: settings.ratio, threshold: settings.threshold, knee: 0, attack: 1, release: 60)
    return Compression.values(compressor, depth: settings.depth, sampleRate: sampleRate)
  }

  private static func band(_ settings: Settings, _ sampleRate: Int) -> Biquad {
    Biquad(.bandPass, frequency: settings.frequency, quality: 1, sampleRate: sampleRate)
  }
}
