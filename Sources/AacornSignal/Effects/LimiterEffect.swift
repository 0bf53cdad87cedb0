/// Keeps the sound, also between the samples, below a ceiling; all channels alike.
///
/// It hears peaks before they come out, so that the gain is down in time without a step: that is its
/// latency. ``TruePeakMeter`` finds its peaks at most 0.1 dB above the ceiling.
public struct LimiterEffect: Sendable {
  /// What it does.
  public struct Settings: Equatable, Sendable {
    /// The highest true peak, in dBFS.
    public var ceiling: Double
    /// The time constant of getting louder after a peak, in milliseconds.
    public var release: Double

    /// Settings for any sound.
    public init(ceiling: Double = -1, release: Double = 100) {
      self.ceiling = ceiling
      self.release = release
    }
  }

  /// What it does; see ``SoundEffect`` for changes.
  ///
  /// A lower ceiling holds for what comes in from then on, and comes out after the latency.
  public var settings: Settings {
    didSet { ramp.aim(at: Self.values(settings, sampleRate)) }
  }

  private let channelCount: Int
  private let sampleRate: Int
  private var ramp: ParameterRamp
  private var finder: TruePeakFinder
  private var gain: LookaheadGain
  private var delay: FrameDelay
  /// The peaks of a piece, which become its gains.
  private var values: [Float]

  /// The effect for interleaved channels.
  public init(_ settings: Settings = Settings(), channelCount: Int, sampleRate: Int) {
    let (channelCount, sampleRate) = SampleLimits.nearest(channelCount, sampleRate)
    self.settings = settings
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    ramp = ParameterRamp(Self.values(settings, sampleRate), sampleRate: sampleRate)
    finder = TruePeakFinder(channelCount: channelCount)
    // Two means of 2 ms.
    gain = LookaheadGain(meanLength: max(8, sampleRate / 500))
    latency = TruePeakFinder.delay + gain.lookahead
    delay = FrameDelay(frameCount: latency, channelCount: channelCount)
    values = [Float](repeating: 0, count: TruePeakFinder.pieceLength + 4)
  }

  /// How many frames later the sound comes out: 4.5 ms.
  public let latency: Int

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
    finder.reset()
    gain.reset()
    delay.reset()
  }

  private mutating func run(_ samples: UnsafeMutablePointer<Float>, _ frameCount: Int) {
    var first = 0
    while first < frameCount {
      let count = ramp.advance(min(frameCount - first, TruePeakFinder.pieceLength))
      unsafe Self.run(
        samples + first * channelCount, count, ramp.values, &values, &finder, &gain, &delay)
      first += count
    }
  }

  private static func run(
    _ samples: UnsafeMutablePointer<Float>, _ count: Int, _ settings: SIMD8<Double>,
    _ values: inout [Float], _ finder: inout TruePeakFinder, _ gain: inout LookaheadGain,
    _ delay: inout FrameDelay
  ) {
    unsafe values.withUnsafeMutableBufferPointer { values in
      guard let values = values.baseAddress else { return }
      let ceiling = Float(settings[0])
      unsafe finder.run(samples, count, above: ceiling, into: values)
      unsafe gain.run(values, count, ceiling: ceiling, release: settings[1])
      unsafe delay.exchange(samples, count, gains: values)
    }
  }

  private static func values(_ settings: Settings, _ sampleRate: Int) -> SIMD8<Double> {
    let release = EffectMath.persistence(
      milliseconds: EffectRange.time.nearest(to: settings.release), sampleRate: sampleRate)
    let ceiling = EffectRange.ceiling.nearest(to: settings.ceiling)
    return SIMD8(EffectMath.amplitude(ceiling - margin), 1 - release, 0, 0, 0, 0, 0, 0)
  }

  /// The part of the tolerance that is given to gains that change within the filter, in decibels.
  private static let margin = 0.02
}
