/// Takes out what is below a frequency: a Butterworth filter, for rumble and handling noise.
public struct HighPassEffect: SoundEffect {
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
      for (index, section) in Self.sections(settings, sampleRate).enumerated() {
        filter.aim(at: section, section: index)
      }
    }
  }

  private let channelCount: Int
  private let sampleRate: Int
  private var filter: FilterCascade

  /// The effect for interleaved channels.
  public init(_ settings: Settings = Settings(), channelCount: Int, sampleRate: Int) {
    self.settings = settings
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    filter = FilterCascade(
      Self.sections(settings, sampleRate), channelCount: channelCount, sampleRate: sampleRate)
  }

  /// None.
  public var latency: Int { 0 }

  /// Changes whole interleaved frames.
  public mutating func process(_ samples: inout MutableSpan<Float>) {
    precondition(samples.count % channelCount == 0)
    let frameCount = samples.count / channelCount
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      guard let base = samples.baseAddress else { return }
      unsafe filter.run(base, frameCount)
    }
  }

  /// Forgets all sound; the settings are kept, and reached at once.
  public mutating func reset() { filter.reset() }

  /// One or two sections; in place of the second one, what changes nothing.
  private static func sections(_ settings: Settings, _ sampleRate: Int) -> [Biquad] {
    func section(_ quality: Double) -> Biquad {
      Biquad(.highPass, frequency: settings.frequency, quality: quality, sampleRate: sampleRate)
    }
    switch settings.slope {
    case .twelve: return [section(Biquad.butterworthQuality), Biquad()]
    // 1 / (2 cos π/8) and 1 / (2 sin π/8).
    case .twentyFour:
      return [section(0.541_196_100_146_197), section(1.306_562_964_876_376_5)]
    }
  }
}
