/// Takes out what is below a frequency: a Butterworth filter, for rumble and handling noise.
public struct HighPassEffect: Sendable {
  /// How steep it is.
  public enum Slope: Equatable, Sendable {
    /// 12 dB an octave.
    case twelve
    /// 24 dB an octave.
    case twentyFour
  }

  /// What it does.
  public struct Settings: Equatable, Sendable {
    /// The frequency at which 3 dB are missing, in hertz.
    public var frequency: Double
    /// How steep it is.
    public var slope: Slope

    /// A filter at this frequency.
    public init(frequency: Double = 80, slope: Slope = .twelve) {
      self.frequency = frequency
      self.slope = slope
    }
  }

  /// What it does; see ``SoundEffect`` for changes.
  public var settings: Settings {
    didSet {
      filter.aim(at: Self.first(settings, sampleRate), section: 0)
      filter.aim(at: Self.second(settings, sampleRate), section: 1)
    }
  }

  private let channelCount: Int
  private let sampleRate: Int
  private var filter: FilterCascade

  /// The effect for interleaved channels.
  public init(_ settings: Settings = Settings(), channelCount: Int, sampleRate: Int) {
    let (channelCount, sampleRate) = SampleLimits.nearest(channelCount, sampleRate)
    self.settings = settings
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    filter = FilterCascade(
      [Self.first(settings, sampleRate), Self.second(settings, sampleRate)],
      channelCount: channelCount, sampleRate: sampleRate)
  }

  /// None.
  public var latency: Int { 0 }

  /// Changes whole interleaved frames.
  public mutating func process(_ samples: inout MutableSpan<Float>) {
    let frameCount = samples.count / channelCount
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      guard let base = samples.baseAddress else { return }
      unsafe filter.run(base, frameCount)
    }
  }

  /// Forgets all sound; the settings are kept, and reached at once.
  public mutating func reset() { filter.reset() }

  /// The only section, or that of 1 / (2 cos π/8).
  private static func first(_ settings: Settings, _ sampleRate: Int) -> Biquad {
    let quality =
      settings.slope == .twelve ? Biquad.butterworthQuality : 0.541_196_100_146_197
    return Biquad(
      .highPass, frequency: settings.frequency, quality: quality, sampleRate: sampleRate)
  }

  /// The section of 1 / (2 sin π/8), or what changes nothing.
  private static func second(_ settings: Settings, _ sampleRate: Int) -> Biquad {
    if settings.slope == .twelve { return Biquad() }
    return Biquad(
      .highPass, frequency: settings.frequency, quality: 1.306_562_964_876_376_5,
      sampleRate: sampleRate)
  }
}
