/// Lets pass only what is louder than a threshold, so that pauses are silent; all channels alike.
public struct GateEffect: Sendable {
  /// What it does.
  public struct Settings: Equatable, Sendable {
    /// The level at which it opens, in dBFS.
    public var threshold: Double
    /// How much softer the sound gets when it is closed, in decibels.
    public var depth: Double
    /// How far below the threshold the level must fall for it to close, in decibels.
    public var hysteresis: Double
    /// The time constant of opening, in milliseconds.
    public var attack: Double
    /// How long it stays open after the level has fallen, in milliseconds.
    public var hold: Double
    /// The time constant of closing, in milliseconds.
    public var release: Double

    /// Settings for speech.
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

  /// What it does; see ``SoundEffect`` for changes.
  public var settings: Settings {
    didSet {
      ramp.aim(at: Self.values(settings, sampleRate))
      holdLength = Self.holdLength(settings, sampleRate)
    }
  }

  private struct State: Sendable {
    var isOpen = false
    /// Frames until it closes.
    var rest = 0
    /// In double precision, as small steps would be lost in rounding.
    var gain: Double
  }

  private let channelCount: Int
  private let sampleRate: Int
  private var ramp: ParameterRamp
  private var holdLength: Int
  private var state: State

  /// The effect for interleaved channels; it begins closed.
  public init(_ settings: Settings = Settings(), channelCount: Int, sampleRate: Int) {
    precondition(channelCount > 0 && sampleRate > 0)
    self.settings = settings
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    let values = Self.values(settings, sampleRate)
    ramp = ParameterRamp(values, sampleRate: sampleRate)
    holdLength = Self.holdLength(settings, sampleRate)
    state = State(gain: values[2])
  }

  /// None.
  public var latency: Int { 0 }

  /// Changes whole interleaved frames.
  public mutating func process(_ samples: inout MutableSpan<Float>) {
    precondition(samples.count % channelCount == 0)
    let frameCount = samples.count / channelCount
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      guard let base = samples.baseAddress else { return }
      unsafe run(base, frameCount)
    }
  }

  /// Forgets all sound; the settings are kept, and reached at once.
  public mutating func reset() {
    ramp.jump()
    state = State(gain: ramp.values[2])
  }

  private mutating func run(_ samples: UnsafeMutablePointer<Float>, _ frameCount: Int) {
    var first = 0
    while first < frameCount {
      let count = ramp.advance(frameCount - first)
      unsafe Self.run(
        samples + first * channelCount, count, channelCount, ramp.values, holdLength, &state)
      first += count
    }
  }

  private static func run(
    _ samples: UnsafeMutablePointer<Float>, _ frameCount: Int, _ channelCount: Int,
    _ values: SIMD8<Double>, _ holdLength: Int, _ memory: inout State
  ) {
    let (opening, closing) = (Float(values[0]), Float(values[1]))
    let (floor, attack, release) = (values[2], values[3], values[4])
    var state = memory
    var place = 0
    for _ in 0..<frameCount {
      let frame = unsafe samples + place
      let level = unsafe FrameLevels.level(frame, channelCount)
      let threshold = state.isOpen ? closing : opening
      if level >= threshold {
        state.isOpen = true
        state.rest = holdLength
      } else if state.rest > 0 {
        state.rest &-= 1
      } else {
        state.isOpen = false
      }
      let target = state.isOpen ? 1 : floor
      let distance = state.gain - target
      let rest = distance * (distance < 0 ? attack : release)
      // What has all but arrived is there, so that the open gate changes nothing.
      state.gain = rest.magnitude < 1e-6 ? target : target + rest
      let gain = Float(state.gain)
      for channel in 0..<channelCount { unsafe frame[channel] *= gain }
      place &+= channelCount
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
    let times = (
      EffectRange.time.nearest(to: settings.attack), EffectRange.time.nearest(to: settings.release)
    )
    return SIMD8(
      EffectMath.amplitude(threshold), EffectMath.amplitude(threshold - hysteresis),
      EffectMath.amplitude(-EffectRange.depth.nearest(to: settings.depth)),
      EffectMath.persistence(milliseconds: times.0, sampleRate: sampleRate),
      EffectMath.persistence(milliseconds: times.1, sampleRate: sampleRate), 0, 0, 0)
  }
}
