/// How a compressor turns levels into gains: a static curve, and a smooth decoupled detector behind it.
///
/// Both are as in “Digital dynamic range compressor design” (J. Audio Eng. Soc. 60, 2012).
///
/// With the level x above the threshold, the half width w of the knee and the ratio R, the curve
/// takes away (1 − 1/R)·k(x), where k is 0 below −w, x above w and (x + w)²/4w between. Of that, r,
///
///     p ← max(r, αᵣp + (1 − αᵣ)r),  s ← αₐs + (1 − αₐ)p
///
/// with the persistences of release and attack; 2^(make-up − s) is the gain. All levels are logarithms
/// to the base of 2.
struct Compression: Sendable {
  /// What the loop multiplies and adds.
  struct Factors {
    let threshold: Lanes
    let slope: Lanes
    let halfKnee: Lanes
    let kneeScale: Lanes
    let makeUp: Lanes
    let depth: Lanes
    /// No level up to this one is in the knee.
    let quiet: Float
    /// The gains where nothing is taken away.
    let restingGains: Lanes
    let attack: Float
    let release: Float
    /// What is left of 1.
    let toAttack: Float
    /// What is left of 1.
    let toRelease: Float

    /// The factors of values as `values` makes them.
    @inline(__always)
    init(_ values: SIMD8<Double>) {
      threshold = Lanes(repeating: Float(values[0]))
      slope = Lanes(repeating: Float(values[1]))
      halfKnee = Lanes(repeating: Float(values[2]))
      kneeScale = Lanes(repeating: Float(0.25 / values[2]))
      makeUp = Lanes(repeating: Float(values[3]))
      depth = Lanes(repeating: Float(values[4]))
      // A thousandth is more than all roundings together.
      quiet = ElementaryFunctions.exp2(Float(values[0] - values[2] - 0.001))
      restingGains = ElementaryFunctions.exp2(makeUp)
      attack = Float(values[5])
      release = Float(values[6])
      toAttack = Float(1 - values[5])
      toRelease = Float(1 - values[6])
    }
  }

  /// p and s.
  private var peak: Float = 0
  private var smooth: Float = 0

  /// The settings in the units of the loop, for a ramp.
  static func values(
    threshold: Double, ratio: Double, knee: Double, makeUp: Double, depth: Double, attack: Double,
    release: Double, sampleRate: Int
  ) -> SIMD8<Double> {
    let unit = EffectMath.decibelsPerOctave
    let times = (EffectRange.time.nearest(to: attack), EffectRange.time.nearest(to: release))
    // A knee of no width would divide by it.
    let halfKnee = max(EffectRange.knee.nearest(to: knee) / 2 / unit, 1e-4)
    return SIMD8(
      EffectRange.threshold.nearest(to: threshold) / unit,
      1 - 1 / EffectRange.ratio.nearest(to: ratio), halfKnee,
      EffectRange.gain.nearest(to: makeUp) / unit, EffectRange.depth.nearest(to: depth) / unit,
      EffectMath.persistence(milliseconds: times.0, sampleRate: sampleRate),
      EffectMath.persistence(milliseconds: times.1, sampleRate: sampleRate), 0)
  }

  /// The gains for up to four frames with these levels.
  @inline(__always)
  mutating func gains(_ levels: Lanes, _ count: Int, _ factors: Factors) -> Lanes {
    var wanted = Lanes.zero
    if levels.largest > factors.quiet {
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

  /// What the curve takes away at these levels.
  @inline(__always)
  private static func reductions(_ levels: Lanes, _ factors: Factors) -> Lanes {
    // Far below any threshold, and still a normal number.
    let logarithms = ElementaryFunctions.log2(levels.raised(to: Lanes(repeating: 1e-9)))
    let over = logarithms - factors.threshold
    let knee = factors.halfKnee + factors.halfKnee
    let inside = (over + factors.halfKnee).raised(to: .zero).lowered(to: knee)
    let above = (over - factors.halfKnee).raised(to: .zero)
    let curve = inside * inside * factors.kneeScale + above
    return (curve * factors.slope).lowered(to: factors.depth)
  }

  /// Moves the detector on by a frame; returns s.
  ///
  /// Every frame waits for the one before, so that the fewest steps from p to p count here.
  @inline(__always)
  private mutating func advance(_ reduction: Float, _ factors: Factors) -> Float {
    // What has died away must not become numbers so small that they only cost time.
    let fallen = factors.release * peak + factors.toRelease * reduction
    let rest = peak > Self.least ? fallen : 0
    peak = reduction > peak ? reduction : rest
    let moved = factors.attack * smooth + factors.toAttack * peak
    smooth = smooth > Self.least || peak > 0 ? moved : 0
    return smooth
  }

  /// What is less is nothing: the gain is the same to the bit, or the next number.
  private static let least: Float = 1e-7
}
