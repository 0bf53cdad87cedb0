/// A limiter: keeps true peaks, also those between the samples, below a ceiling.
///
/// It acts equally in all channels. Its latency is a lookahead, in which the gain falls smoothly
/// before a peak. ``TruePeakMeter`` measures peaks of at most 0.1 dB above the ceiling.
public struct LimiterEffect: Sendable {
  /// The settings of a limiter.
  public struct Settings: Equatable, Sendable {
    /// The maximum true peak, in dBFS.
    public var ceiling: Double
    /// The time constant of the recovery after a peak, in milliseconds.
    public var release: Double

    /// Creates settings; the defaults suit any audio.
    public init(ceiling: Double = -1, release: Double = 100) {
      self.ceiling = ceiling
      self.release = release
    }
  }

  /// The settings; see ``AudioEffect`` for changes.
  ///
  /// A lower ceiling applies to later input, and is audible after the latency.
  public var settings: Settings {
    didSet { ramp.aim(at: Self.values(settings, sampleRate)) }
  }

  private let channelCount: Int
  private let sampleRate: Int
  private var ramp: ParameterRamp
  private var finder: TruePeakFinder
  private var gain: LookaheadGain
  private var delay: FrameDelay
  /// The peaks of a piece, which are replaced by its gains.
  private var values: [Float]

  /// Creates the effect for interleaved channels.
  public init(_ settings: Settings = Settings(), channelCount: Int, sampleRate: Int) {
    let (channelCount, sampleRate) = SampleLimits.nearest(channelCount, sampleRate)
    self.settings = settings
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    ramp = ParameterRamp(Self.values(settings, sampleRate), sampleRate: sampleRate)
    finder = TruePeakFinder(channelCount: channelCount)
    // Each of the two means in `LookaheadGain` covers 2 ms.
    gain = LookaheadGain(meanLength: max(8, sampleRate / 500))
    latency = TruePeakFinder.delay + gain.lookahead
    delay = FrameDelay(frameCount: latency, channelCount: channelCount)
    values = [Float](repeating: 0, count: TruePeakFinder.pieceLength + 4)
  }

  /// The latency in frames, 4.5 ms.
  public let latency: Int

  /// Processes whole interleaved frames in place.
  public mutating func process(_ samples: inout MutableSpan<Float>) {
    unsafe ramp.forEachPiece(of: &samples, channelCount, limit: TruePeakFinder.pieceLength) {
      unsafe Self.run($0, $1, $2, &values, &finder, &gain, &delay)
    }
  }

  /// Clears all stored audio; the settings are kept and apply immediately.
  public mutating func reset() {
    ramp.jump()
    finder.reset()
    gain.reset()
    delay.reset()
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
    let release = EffectMath.decayFactor(
      milliseconds: EffectRange.time.nearest(to: settings.release), sampleRate: sampleRate)
    let ceiling = EffectRange.ceiling.nearest(to: settings.ceiling)
    return SIMD8(Decibels.amplitude(ceiling - margin), 1 - release, 0, 0, 0, 0, 0, 0)
  }

  /// The distance to the ceiling, in decibels, that allows for gains that change within the length
  /// of the true-peak filter.
  private static let margin = 0.02
}
