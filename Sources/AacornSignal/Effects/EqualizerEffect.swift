/// A parametric equalizer: a series of bands that amplify or attenuate parts of the spectrum.
public struct EqualizerEffect: Sendable {
  /// The settings of a band.
  public struct Band: Equatable, Sendable {
    /// The response of the band.
    public var kind: Biquad.Kind
    /// The corner or center frequency, or the middle of a slope, in hertz.
    public var frequency: Double
    /// The gain of peaks and shelves, in decibels.
    public var decibels: Double
    /// The center frequency divided by the width; for shelves, the steepness.
    public var quality: Double

    /// Creates a band.
    public init(
      _ kind: Biquad.Kind, frequency: Double, decibels: Double = 0,
      quality: Double = Biquad.butterworthQuality
    ) {
      self.kind = kind
      self.frequency = frequency
      self.decibels = decibels
      self.quality = quality
    }
  }

  /// The bands; see ``EffectRange`` for changes.
  ///
  /// A new number of bands resets the filters.
  public var bands: [Band] {
    didSet {
      if bands.count != oldValue.count {
        filter = Self.filter(bands, channelCount: channelCount, sampleRate: sampleRate)
        return
      }
      for (index, band) in bands.enumerated() {
        filter.aim(at: Self.section(band, sampleRate), section: index)
      }
    }
  }

  private let channelCount: Int
  private let sampleRate: Int
  private var filter: FilterCascade

  /// Creates the effect for interleaved channels; without bands it changes nothing.
  public init(_ bands: [Band], channelCount: Int, sampleRate: Int) {
    self.bands = bands
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    filter = Self.filter(bands, channelCount: channelCount, sampleRate: sampleRate)
  }

  /// The latency in frames: always 0.
  public var latency: Int { 0 }

  /// Processes whole interleaved frames in place.
  public mutating func process(_ samples: inout MutableSpan<Float>) {
    filter.process(&samples)
  }

  /// Clears all stored audio; the settings are kept and apply immediately.
  public mutating func reset() { filter.reset() }

  private static func filter(
    _ bands: [Band], channelCount: Int, sampleRate: Int
  ) -> FilterCascade {
    var sections: [Biquad] = []
    for band in bands { sections.append(Self.section(band, sampleRate)) }
    return FilterCascade(sections, channelCount: channelCount, sampleRate: sampleRate)
  }

  private static func section(_ band: Band, _ sampleRate: Int) -> Biquad {
    Biquad(
      band.kind, frequency: band.frequency, quality: band.quality, decibels: band.decibels,
      sampleRate: sampleRate)
  }
}
