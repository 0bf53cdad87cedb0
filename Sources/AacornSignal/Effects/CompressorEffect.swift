/// Makes loud sound softer, so that all of it can be made louder; all channels alike.
public struct CompressorEffect: Sendable {
  /// What it does.
  public struct Settings: Equatable, Sendable {
    /// How many decibels more of the input are one more of the output, above the threshold.
    public var ratio: Double
    /// The level above which it begins, in dBFS; that of a sine is its peak.
    public var threshold: Double
    /// The range of levels around the threshold in which the ratio begins, in decibels.
    public var knee: Double
    /// The time constant for rising levels, in milliseconds.
    public var attack: Double
    /// The time constant for falling levels, in milliseconds.
    public var release: Double
    /// What is added to the whole, in decibels.
    public var makeUp: Double

    /// Settings for speech.
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

  /// What it does; see ``SoundEffect`` for changes.
  public var settings: Settings {
    didSet { ramp.aim(at: Self.values(settings, sampleRate)) }
  }

  private let channelCount: Int
  private let sampleRate: Int
  private var ramp: ParameterRamp
  private var compression = Compression()

  /// The effect for interleaved channels.
  public init(_ settings: Settings = Settings(), channelCount: Int, sampleRate: Int) {
    let (channelCount, sampleRate) = SampleLimits.nearest(channelCount, sampleRate)
    self.settings = settings
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    ramp = ParameterRamp(Self.values(settings, sampleRate), sampleRate: sampleRate)
  }

  /// None.
  public var latency: Int { 0 }

  /// Changes whole interleaved frames.
  public mutating func process(_ samples: inout MutableSpan<Float>) {
    let frameCount = samples.count / channelCount
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      guard let base = samples.baseAddress else { return }
      unsafe run(base, frameCount)
    }
  }

  /// Forgets all sound; the settings are kept, and reached at once.
  public mutating func reset() {
    ramp.jump()
    compression = Compression()
  }

  private mutating func run(_ samples: UnsafeMutablePointer<Float>, _ frameCount: Int) {
    var first = 0
    while first < frameCount {
      let end = first + ramp.advance(frameCount - first)
      unsafe Self.run(
        samples, first, end, channelCount, Compression.Factors(ramp.values), &compression)
      first = end
    }
  }

  private static func run(
    _ samples: UnsafeMutablePointer<Float>, _ first: Int, _ end: Int, _ channelCount: Int,
    _ factors: Compression.Factors, _ state: inout Compression
  ) {
    var compression = state
    var frame = first
    while frame < end {
      let count = min(4, end - frame)
      let here = unsafe samples + frame &* channelCount
      let levels = unsafe FrameLevels.take(here, count, channelCount)
      let gains = compression.gains(levels, count, factors)
      unsafe FrameLevels.multiply(here, count, channelCount, by: gains)
      frame &+= count
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
