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
    // Far below any threshold, and still a normal number.
    let logarithms = ElementaryFunctions.log2(levels.raised(to: Lanes(repeating: 1e-9)))
    let over = logarithms - factors.threshold
    let knee = factors.halfKnee + factors.halfKnee
    let inside = (over + factors.halfKnee).raised(to: .zero).lowered(to: knee)
    let above = (over - factors.halfKnee).raised(to: .zero)
    let curve = inside * inside * factors.kneeScale + above
    let wanted = (curve * factors.slope).lowered(to: factors.depth)
    var smoothed = Lanes.zero
    for frame in 0..<count {
      let reduction = wanted[frame]
      // What does not depend on the frame before is not waited for.
      let fallen = factors.release * peak + factors.toRelease * reduction
      peak = reduction > peak ? reduction : fallen
      smooth = factors.attack * smooth + factors.toAttack * peak
      // What has died away must not become numbers so small that they only cost time.
      peak = peak > 1e-7 ? peak : 0
      smooth = smooth > 1e-7 ? smooth : 0
      smoothed[frame] = smooth
    }
    return ElementaryFunctions.exp2(factors.makeUp - smoothed)
  }
}
