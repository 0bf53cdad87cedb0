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

  /// The settings; see ``EffectRange`` for changes.
  public var settings: Settings {
    didSet { ramp.aim(at: Self.values(settings, ramp.sampleRate)) }
  }

  private var ramp: ParameterRamp
  private var compression = Compression()

  /// Creates the effect for interleaved channels.
  public init(_ settings: Settings = Settings(), channelCount: Int, sampleRate: Int) {
    self.settings = settings
    ramp = ParameterRamp(channelCount: channelCount, sampleRate: sampleRate) {
      Self.values(settings, $0)
    }
  }

  /// The latency in frames: always 0.
  public var latency: Int { 0 }

  /// Processes whole interleaved frames in place.
  public mutating func process(_ samples: inout MutableSpan<Float>) {
    unsafe ramp.forEachPiece(of: &samples) { frames, values in
      unsafe Self.run(frames, factors: Compression.Factors(values), state: &compression)
    }
  }

  /// Clears all stored audio; the settings are kept and apply immediately.
  public mutating func reset() {
    ramp.jump()
    compression = Compression()
  }

  private static func run(
    _ frames: Frames, factors: Compression.Factors, state: inout Compression
  ) {
    var compression = state
    unsafe frames.applyGains { levels, count in
      compression.gains(levels, count: count, factors: factors)
    }
    state = compression
  }

  private static func values(_ settings: Settings, _ sampleRate: Int) -> SIMD8<Double> {
    Compression.values(settings, depth: EffectRange.depth.upperBound, sampleRate: sampleRate)
  }
}

/// The gain computer of a compressor: a static curve, followed by a smooth decoupled detector.
///
/// Both follow “Digital dynamic range compressor design” (J. Audio Eng. Soc. 60, 2012).
///
/// With the level x above the threshold, the half width w of the knee and the ratio R, the curve
/// reduces by (1 − 1/R)·k(x), where k is 0 below −w, x above w and (x + w)²/4w between. The
/// detector smooths this reduction r,
///
///     p ← max(r, αᵣp + (1 − αᵣ)r),  s ← αₐs + (1 − αₐ)p
///
/// with the persistences αᵣ of release and αₐ of attack; the gain is 2^(make-up − s). All levels
/// are logarithms to base 2.
struct Compression: Sendable {
  /// The values of the settings in the units of `reductions` and `advance`.
  struct Factors {
    let threshold: Lanes
    let slope: Lanes
    let halfKnee: Lanes
    let kneeScale: Lanes
    let makeUp: Lanes
    let depth: Lanes
    /// The amplitude up to which no level reaches the knee.
    let kneeFloor: Float
    /// The gains without a reduction: the make-up gain of four frames.
    let restingGains: Lanes
    let attack: Float
    let release: Float
    /// 1 minus the attack decay factor.
    let toAttack: Float
    /// 1 minus the release decay factor.
    let toRelease: Float

    @inline(__always)
    init(_ values: SIMD8<Double>) {
      threshold = Lanes(repeating: Float(values[0]))
      slope = Lanes(repeating: Float(values[1]))
      halfKnee = Lanes(repeating: Float(values[2]))
      kneeScale = Lanes(repeating: Float(0.25 / values[2]))
      makeUp = Lanes(repeating: Float(values[3]))
      depth = Lanes(repeating: Float(values[4]))
      // The margin of 0.001 exceeds the sum of all rounding errors.
      kneeFloor = ElementaryFunctions.exp2(Float(values[0] - values[2] - 0.001))
      restingGains = ElementaryFunctions.exp2(makeUp)
      attack = Float(values[5])
      release = Float(values[6])
      toAttack = Float(1 - values[5])
      toRelease = Float(1 - values[6])
    }
  }

  /// The detector states p and s.
  private var peak: Float = 0
  private var smooth: Float = 0

  /// Returns the settings and the maximum reduction for a ramp, in the units of `Factors`.
  static func values(
    _ settings: CompressorEffect.Settings, depth: Double, sampleRate: Int
  ) -> SIMD8<Double> {
    let unit = Decibels.perOctave
    // A knee of zero width would cause a division by zero.
    let halfKnee = max(EffectRange.knee.nearest(to: settings.knee) / 2 / unit, 1e-4)
    return SIMD8(
      EffectRange.threshold.nearest(to: settings.threshold) / unit,
      1 - 1 / EffectRange.ratio.nearest(to: settings.ratio), halfKnee,
      EffectRange.gain.nearest(to: settings.makeUp) / unit,
      EffectRange.depth.nearest(to: depth) / unit,
      EffectMath.decayFactor(milliseconds: settings.attack, sampleRate: sampleRate),
      EffectMath.decayFactor(milliseconds: settings.release, sampleRate: sampleRate), 0)
  }

  /// Returns the gains for up to four frames with these levels.
  @inline(__always)
  mutating func gains(_ levels: Lanes, count: Int, factors: Factors) -> Lanes {
    var wanted = Lanes.zero
    if levels.largest > factors.kneeFloor {
      wanted = Self.reductions(levels, factors)
    } else if peak == 0 && smooth == 0 {
      return factors.restingGains
    }
    var smoothed = Lanes.zero
    if count == 4 {
      smoothed[0] = advance(wanted[0], factors)
      smoothed[1] = advance(wanted[1], factors)
      smoothed[2] = advance(wanted[2], factors)
      smoothed[3] = advance(wanted[3], factors)
    } else {
      for frame in 0..<count { smoothed[frame] = advance(wanted[frame], factors) }
    }
    return ElementaryFunctions.exp2(factors.makeUp - smoothed)
  }

  @inline(__always)
  private static func reductions(_ levels: Lanes, _ factors: Factors) -> Lanes {
    // Far below any threshold, but large enough not to be subnormal.
    let logarithms = ElementaryFunctions.log2(levels.raised(to: Lanes(repeating: 1e-9)))
    let over = logarithms - factors.threshold
    let knee = factors.halfKnee + factors.halfKnee
    let inside = (over + factors.halfKnee).raised(to: .zero).lowered(to: knee)
    let above = (over - factors.halfKnee).raised(to: .zero)
    let curve = inside * inside * factors.kneeScale + above
    return (curve * factors.slope).lowered(to: factors.depth)
  }

  /// Advances the detector by a frame and returns s.
  ///
  /// Each frame depends on the previous one, so as few operations as possible lead from one p to
  /// the next.
  @inline(__always)
  private mutating func advance(_ reduction: Float, _ factors: Factors) -> Float {
    // Decayed values must not become subnormal, which would only cost time.
    let fallen = factors.release * peak + factors.toRelease * reduction
    let rest = peak > Self.minimum ? fallen : 0
    peak = reduction > peak ? reduction : rest
    let moved = factors.attack * smooth + factors.toAttack * peak
    smooth = smooth > Self.minimum || peak > 0 ? moved : 0
    return smooth
  }

  /// A smaller reduction counts as zero; it would change the gain by at most one rounding step.
  private static let minimum: Float = 1e-7
}
