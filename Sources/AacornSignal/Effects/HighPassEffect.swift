/// A Butterworth high-pass filter, against rumble and handling noise.
public struct HighPassEffect: Sendable {
  /// The steepness of the filter.
  public enum Slope: Equatable, Sendable {
    /// 12 dB per octave.
    case twelve
    /// 24 dB per octave.
    case twentyFour
  }

  /// The settings of a high-pass filter.
  public struct Settings: Equatable, Sendable {
    /// The frequency with an attenuation of 3 dB, in hertz.
    public var frequency: Double
    /// The steepness.
    public var slope: Slope

    /// Creates settings.
    public init(frequency: Double = 80, slope: Slope = .twelve) {
      self.frequency = frequency
      self.slope = slope
    }
  }

  /// The settings; see ``EffectRange`` for changes.
  public var settings: Settings {
    didSet {
      filter.aim(at: Self.first(settings, sampleRate), section: 0)
      filter.aim(at: Self.second(settings, sampleRate), section: 1)
    }
  }

  private let sampleRate: Int
  private var filter: FilterCascade

  /// Creates the effect for interleaved channels.
  public init(_ settings: Settings = Settings(), channelCount: Int, sampleRate: Int) {
    self.settings = settings
    self.sampleRate = sampleRate
    filter = FilterCascade(
      [Self.first(settings, sampleRate), Self.second(settings, sampleRate)],
      channelCount: channelCount, sampleRate: sampleRate)
  }

  /// The latency in frames: always 0.
  public var latency: Int { 0 }

  /// Processes whole interleaved frames in place.
  public mutating func process(_ samples: inout MutableSpan<Float>) {
    filter.process(&samples)
  }

  /// Clears all stored audio; the settings are kept and apply immediately.
  public mutating func reset() { filter.reset() }

  /// Returns the only section for 12 dB, or the first for 24 dB, with quality 1 / (2 cos π/8).
  private static func first(_ settings: Settings, _ sampleRate: Int) -> Biquad {
    let quality =
      settings.slope == .twelve ? Biquad.butterworthQuality : 0.541_196_100_146_197
    return Biquad(
      .highPass, frequency: settings.frequency, quality: quality, sampleRate: sampleRate)
  }

  /// Returns the second section for 24 dB, with quality 1 / (2 sin π/8); for 12 dB a section that
  /// passes everything unchanged.
  private static func second(_ settings: Settings, _ sampleRate: Int) -> Biquad {
    if settings.slope == .twelve { return Biquad() }
    return Biquad(
      .highPass, frequency: settings.frequency, quality: 1.306_562_964_876_376_5,
      sampleRate: sampleRate)
  }
}
