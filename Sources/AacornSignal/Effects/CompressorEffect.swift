/// A compressor: reduces the level of loud audio, equally in all channels.
public struct CompressorEffect: Sendable {
  /// The settings of a compressor.
  public struct Settings: Equatable, Sendable {
    /// The rise of the input, in decibels, for each decibel of output above the threshold.
    public var ratio: Double
    /// The level above which compression begins, in dBFS; the level of a sine is its peak.
    public var threshold: Double
    /// The range of levels around the threshold in which the ratio rises, in decibels.
    public var knee: Double
    /// The time constant for rising levels, in milliseconds.
    public var attack: Double
    /// The time constant for falling levels, in milliseconds.
    public var release: Double
    /// The gain added to everything, in decibels.
    public var makeUp: Double

    /// Creates settings; the defaults suit speech.
    public init(
      ratio: Double = 3, threshold: Double = -18, knee: Double = 6, attack: Double = 5,
      release: Double = 100, makeUp: Double = 0
    ) {
      self.ratio = ratio
      self.threshold = threshold
      self.knee = knee
      self.attack = attack
      self.release = release
      self.makeUp = makeUp
    }
  }

  /// The settings; see ``AudioEffect`` for changes.
  public var settings: Settings {
    didSet { ramp.aim(at: Self.values(settings, sampleRate)) }
  }

  private let channelCount: Int
  private let sampleRate: Int
  private var ramp: ParameterRamp
  private var compression = Compression()

  /// Creates the effect for interleaved channels.
  public init(_ settings: Settings = Settings(), channelCount: Int, sampleRate: Int) {
    let (channelCount, sampleRate) = SampleLimits.nearest(channelCount, sampleRate)
    self.settings = settings
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    ramp = ParameterRamp(Self.values(settings, sampleRate), sampleRate: sampleRate)
  }

  /// The latency in frames: always 0.
  public var latency: Int { 0 }

  /// Processes whole interleaved frames in place.
  public mutating func process(_ samples: inout MutableSpan<Float>) {
    unsafe ramp.forEachPiece(of: &samples, channelCount) { samples, frameCount, values in
      unsafe Self.run(
        samples, frameCount, channelCount, Compression.Factors(values), &compression)
    }
  }

  /// Clears all stored audio; the settings are kept and apply immediately.
  public mutating func reset() {
    ramp.jump()
    compression = Compression()
  }

  private static func run(
    _ samples: UnsafeMutablePointer<Float>, _ frameCount: Int, _ channelCount: Int,
    _ factors: Compression.Factors, _ state: inout Compression
  ) {
    var compression = state
    unsafe FrameLevels.applyGains(samples, frameCount, channelCount) { levels, count in
      compression.gains(levels, count, factors)
    }
    state = compression
  }

  private static func values(_ settings: Settings, _ sampleRate: Int) -> SIMD8<Double> {
    Compression.values(
      threshold: settings.threshold, ratio: settings.ratio, knee: settings.knee,
      makeUp: settings.makeUp, depth: EffectRange.depth.upperBound, attack: settings.attack,
      release: settings.release, sampleRate: sampleRate)
  }
}
