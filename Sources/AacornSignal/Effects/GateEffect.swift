/// A noise gate: passes only audio above a threshold, equally in all channels.
public struct GateEffect: Sendable {
  /// The settings of a gate.
  public struct Settings: Equatable, Sendable {
    /// The level at which the gate opens, in dBFS.
    public var threshold: Double
    /// The attenuation of the closed gate, in decibels.
    public var depth: Double
    /// The distance of the closing level below the threshold, in decibels.
    public var hysteresis: Double
    /// The time constant of opening, in milliseconds.
    public var attack: Double
    /// The time for which the gate stays open after the level has fallen, in milliseconds.
    public var hold: Double
    /// The time constant of closing, in milliseconds.
    public var release: Double

    /// Creates settings; the defaults suit speech.
    public init(
      threshold: Double = -45, depth: Double = 60, hysteresis: Double = 6, attack: Double = 1,
      hold: Double = 100, release: Double = 50
    ) {
      self.threshold = threshold
      self.depth = depth
      self.hysteresis = hysteresis
      self.attack = attack
      self.hold = hold
      self.release = release
    }
  }

  /// The settings; see ``EffectRange`` for changes.
  public var settings: Settings {
    didSet {
      ramp.aim(at: Self.values(settings, ramp.sampleRate))
      holdLength = Self.holdLength(settings, ramp.sampleRate)
    }
  }

  /// The thresholds as amplitudes, and the factors per frame.
  private struct Factors {
    let opening: Float
    let closing: Float
    let floor: Double
    let attack: Double
    let release: Double
    let holdLength: Int

    @inline(__always)
    init(_ values: SIMD8<Double>, _ holdLength: Int) {
      (opening, closing) = (Float(values[0]), Float(values[1]))
      (floor, attack, release) = (values[2], values[3], values[4])
      self.holdLength = holdLength
    }
  }

  private struct State: Sendable {
    var isOpen = false
    var holdFramesLeft = 0
    /// The current gain, in double precision because small steps would be lost in rounding
    /// otherwise.
    var gain: Double

    /// Advances by a frame of this level; returns its gain.
    @inline(__always)
    mutating func advance(_ level: Float, _ factors: Factors) -> Float {
      if level >= (isOpen ? factors.closing : factors.opening) {
        isOpen = true
        holdFramesLeft = factors.holdLength
      } else if holdFramesLeft > 0 {
        holdFramesLeft &-= 1
      } else {
        isOpen = false
      }
      let target = isOpen ? 1 : factors.floor
      let distance = gain - target
      let left = distance * (distance < 0 ? factors.attack : factors.release)
      // A gain close to the target is set to it, so that the open gate changes nothing.
      gain = left.magnitude < 1e-6 ? target : target + left
      return Float(gain)
    }

    /// Advances by four frames and returns true if the gate stays open, so that the frames stay
    /// unchanged; otherwise returns false without advancing.
    @inline(__always)
    mutating func staysOpen(_ levels: Lanes, _ factors: Factors) -> Bool {
      guard isOpen, gain == 1, holdFramesLeft >= 4, factors.holdLength >= 4 else { return false }
      holdFramesLeft &-= 4
      for frame in 0..<4 where levels[frame] >= factors.closing {
        holdFramesLeft = factors.holdLength &- 3 &+ frame
      }
      return true
    }

    /// Returns whether the gate stays closed for four frames with these levels.
    @inline(__always)
    func staysClosed(_ levels: Lanes, _ factors: Factors) -> Bool {
      !isOpen && gain == factors.floor && levels.largest < factors.opening
    }
  }

  private var ramp: ParameterRamp
  private var holdLength: Int
  private var state: State

  /// Creates the effect for interleaved channels, with the gate closed.
  public init(_ settings: Settings = Settings(), channelCount: Int, sampleRate: Int) {
    self.settings = settings
    ramp = ParameterRamp(channelCount: channelCount, sampleRate: sampleRate) {
      Self.values(settings, $0)
    }
    holdLength = Self.holdLength(settings, ramp.sampleRate)
    state = State(gain: ramp.values[2])
  }

  /// The latency in frames: always 0.
  public var latency: Int { 0 }

  /// Processes whole interleaved frames in place.
  public mutating func process(_ samples: inout MutableSpan<Float>) {
    unsafe ramp.forEachPiece(of: &samples) { frames, values in
      unsafe Self.run(frames, factors: Factors(values, holdLength), state: &state)
    }
  }

  /// Clears all stored audio; the settings are kept and apply immediately.
  public mutating func reset() {
    ramp.jump()
    state = State(gain: ramp.values[2])
  }

  private static func run(_ frames: Frames, factors: Factors, state memory: inout State) {
    var state = memory
    var frame = 0
    while unsafe frame < frames.count {
      let here = unsafe frames.upToFour(from: frame)
      let levels = unsafe here.peaks()
      unsafe frame &+= here.count
      if unsafe here.count == 4 {
        if state.staysOpen(levels, factors) { continue }
        if state.staysClosed(levels, factors) {
          unsafe here.multiply(by: Lanes(repeating: Float(factors.floor)))
          continue
        }
      }
      var gains = Lanes.zero
      for index in unsafe 0..<here.count { gains[index] = state.advance(levels[index], factors) }
      unsafe here.multiply(by: gains)
    }
    memory = state
  }

  private static func holdLength(_ settings: Settings, _ sampleRate: Int) -> Int {
    EffectMath.frames(
      milliseconds: EffectRange.hold.nearest(to: settings.hold), sampleRate: sampleRate)
  }

  private static func values(_ settings: Settings, _ sampleRate: Int) -> SIMD8<Double> {
    let threshold = EffectRange.threshold.nearest(to: settings.threshold)
    let hysteresis = EffectRange.hysteresis.nearest(to: settings.hysteresis)
    return SIMD8(
      Decibels.amplitude(threshold), Decibels.amplitude(threshold - hysteresis),
      Decibels.amplitude(-EffectRange.depth.nearest(to: settings.depth)),
      EffectMath.decayFactor(milliseconds: settings.attack, sampleRate: sampleRate),
      EffectMath.decayFactor(milliseconds: settings.release, sampleRate: sampleRate), 0, 0, 0)
  }
}
