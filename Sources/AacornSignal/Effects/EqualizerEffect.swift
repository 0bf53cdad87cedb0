/// A parametric equalizer: bands that make parts of the spectrum louder or softer, one after
/// another.
public struct EqualizerEffect: Sendable {
  /// A band.
  public struct Band: Equatable, Sendable {
    /// What it does.
    public var kind: Biquad.Kind
    /// The corner, center, or the middle of a slope, in hertz.
    public var frequency: Double
    /// What peaks and shelves add, in decibels.
    public var decibels: Double
    /// The center frequency by the width; for shelves, how steep they are.
    public var quality: Double

    /// A band.
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

  /// The bands; see ``SoundEffect`` for changes. With another number of them, the filters begin anew.
  public var bands: [Band] {
    didSet {
      if bands.count != oldValue.count {
        filter = Self.filter(bands, channelCount, sampleRate)
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

  /// The effect for interleaved channels; without bands it changes nothing.
  public init(_ bands: [Band], channelCount: Int, sampleRate: Int) {
    let (channelCount, sampleRate) = SampleLimits.nearest(channelCount, sampleRate)
    self.bands = bands
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    filter = Self.filter(bands, channelCount, sampleRate)
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

  private static func filter(
    _ bands: [Band], _ channelCount: Int, _ sampleRate: Int
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
