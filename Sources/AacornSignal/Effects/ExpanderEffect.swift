/// A downward expander: reduces the level of soft audio, equally in all channels.
///
/// The level, a logarithm x to base 2, passes the detector of ``CompressorEffect``. With the result
/// s, the threshold T and the ratio R, the gain is 2^−min((T − s)(R − 1), depth) below T.
public struct ExpanderEffect: Sendable {
  /// The settings of an expander.
  public struct Settings: Equatable, Sendable {
    /// The fall of the output, in decibels, for each decibel of input below the threshold.
    public var ratio: Double
    /// The level below which expansion begins, in dBFS; the level of a sine is its peak.
    public var threshold: Double
    /// The maximum reduction, in decibels.
    public var depth: Double
    /// The time constant for rising levels, in milliseconds.
    public var attack: Double
    /// The time constant for falling levels, in milliseconds.
    public var release: Double

    /// Creates settings; the defaults suit speech.
    public init(
      ratio: Double = 2, threshold: Double = -45, depth: Double = 20, attack: Double = 1,
      release: Double = 150
    ) {
      self.ratio = ratio
      self.threshold = threshold
      self.depth = depth
      self.attack = attack
      self.release = release
    }
  }

  /// The settings; see ``EffectRange`` for changes.
  public var settings: Settings {
    didSet { ramp.aim(at: Self.values(settings, ramp.sampleRate)) }
  }

  /// The threshold and the depth as logarithms to base 2, and the factors per frame.
  private struct Factors {
    let threshold: Lanes
    let slope: Lanes
    let depth: Lanes
    let attack: Float
    let release: Float

    @inline(__always)
    init(_ values: SIMD8<Double>) {
      threshold = Lanes(repeating: Float(values[0]))
      slope = Lanes(repeating: Float(values[1]))
      depth = Lanes(repeating: Float(values[2]))
      (attack, release) = (Float(values[3]), Float(values[4]))
    }
  }

  private struct State: Sendable {
    var peak = ExpanderEffect.minLevel
    var smooth = ExpanderEffect.minLevel

    /// Advances the detector by a frame and returns s.
    @inline(__always)
    mutating func advance(_ level: Float, _ factors: Factors) -> Float {
      let fallen = level + factors.release * (peak - level)
      peak = level > peak ? level : fallen
      smooth = peak + factors.attack * (smooth - peak)
      return smooth
    }
  }

  /// −180 dB as a logarithm to base 2.
  private static let minLevel: Float = -29.9

  private var ramp: ParameterRamp
  private var state = State()

  /// Creates the effect for interleaved channels, in the state after silence.
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
      unsafe Self.run(frames, factors: Factors(values), state: &state)
    }
  }

  /// Clears all stored audio; the settings are kept and apply immediately.
  public mutating func reset() {
    ramp.jump()
    state = State()
  }

  private static func run(_ frames: Frames, factors: Factors, state memory: inout State) {
    var state = memory
    unsafe frames.applyGains { levels, count in
      let logarithms = ElementaryFunctions.log2(levels.raised(to: Lanes(repeating: 1e-9)))
      var smoothed = Lanes.zero
      if count == 4 {
        smoothed[0] = state.advance(logarithms[0], factors)
        smoothed[1] = state.advance(logarithms[1], factors)
        smoothed[2] = state.advance(logarithms[2], factors)
        smoothed[3] = state.advance(logarithms[3], factors)
      } else {
        for index in 0..<count {
          smoothed[index] = state.advance(logarithms[index], factors)
        }
      }
      let reduction = ((factors.threshold - smoothed) * factors.slope).raised(to: .zero)
        .lowered(to: factors.depth)
      return ElementaryFunctions.exp2(Lanes.zero - reduction)
    }
    memory = state
  }

  private static func values(_ settings: Settings, _ sampleRate: Int) -> SIMD8<Double> {
    let unit = Decibels.perOctave
    return SIMD8(
      EffectRange.threshold.nearest(to: settings.threshold) / unit,
      EffectRange.ratio.nearest(to: settings.ratio) - 1,
      EffectRange.depth.nearest(to: settings.depth) / unit,
      EffectMath.decayFactor(milliseconds: settings.attack, sampleRate: sampleRate),
      EffectMath.decayFactor(milliseconds: settings.release, sampleRate: sampleRate), 0, 0, 0)
  }
}
