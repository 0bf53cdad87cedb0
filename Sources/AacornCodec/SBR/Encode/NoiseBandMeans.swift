import AacornSignal

/// Means over each noise band of a channel's frame, for decisions per noise band.
struct NoiseBandMeans: Sendable {
  /// log₂ of the tonality of the replicated bands and of their sources, by noise band.
  ///
  /// The second half of the frame starts at index 8.
  var original = SIMD16<Float>()
  var source = SIMD16<Float>()
  /// The evenness of the energy over time: 1 is as even as noise, 0 is bursts.
  var steadiness = SIMD16<Float>()

  /// Returns the means of two channels that share their decisions.
  func mean(with other: NoiseBandMeans) -> NoiseBandMeans {
    var result = self
    result.original = (original + other.original) * 0.5
    result.source = (source + other.source) * 0.5
    // The less steady channel decides: noise in its pauses would be audible.
    result.steadiness = pointwiseMin(steadiness, other.steadiness)
    return result
  }

  /// Measures the means.
  ///
  /// `sources` contains the source of each replicated band, from kₓ on; −1 for none.
  mutating func measure(
    _ tonality: BandTonality, _ spectrum: SBRSpectrum, _ tables: SBRTables,
    sources: [Int8]
  ) {
    precondition(tables.noiseCount <= SBRChannelData.maxNoiseBandCount)
    for band in 0..<tables.noiseCount {
      let bands = tables.noise[band]..<tables.noise[band + 1]
      for half in 0..<2 {
        let row = half * BandTonality.width
        var (originalSum, sourceSum) = (Float(0), Float(0))
        for index in bands {
          let source = Int(sources[index - tables.start])
          originalSum += tonality.levels[row + index]
          if source >= 0 { sourceSum += tonality.levels[row + source] }
        }
        original[8 * half + band] = originalSum / Float(bands.count)
        source[8 * half + band] = sourceSum / Float(bands.count)
      }
      measureSteadiness(spectrum, band, bands)
    }
  }

  /// The number of slots analyzed for each half: the half, and four more on both sides.
  private static let window = 24

  /// Measures the steadiness.
  ///
  /// The mean square of the slots' energies of noise is 1 + 1 / bands times their squared mean. An
  /// excess of 0.15 indicates an attack, or the pulses of a voice.
  private mutating func measureSteadiness(
    _ spectrum: SBRSpectrum, _ band: Int, _ bands: Range<Int>
  ) {
    let first = SBRSpectrum.pastSlotCount - 4
    let end = 64 * (first + Self.window + BandTonality.halfSlots)
    precondition(spectrum.real.count >= end && spectrum.imaginary.count >= end)
    precondition(bands.lowerBound >= 0 && bands.upperBound <= 64 && !bands.isEmpty)
    for half in 0..<2 {
      let from = 64 * (first + half * BandTonality.halfSlots)
      let crest = unsafe Self.crest(spectrum.real, spectrum.imaginary, from, bands)
      let excess = crest - 1 - 1 / Float(bands.count)
      steadiness[8 * half + band] = min(1, max(0, 1 - excess * (1 / 0.15)))
    }
  }

  /// Returns the mean square of the slots' energies relative to the square of their mean.
  private static func crest(
    _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>, _ from: Int,
    _ bands: Range<Int>
  ) -> Float {
    // The approximate energy of the rounding of 16-bit samples, which is not a burst.
    let floor = 8 * Float(bands.count)
    var (sum, squares) = (Float(0), Float(0))
    for slot in 0..<window {
      var index = from &+ 64 &* slot &+ bands.lowerBound
      let end = from &+ 64 &* slot &+ bands.upperBound
      var lanes = Lanes.zero
      while index &+ 4 <= end {
        let (re, im) = unsafe (real.lanes(index), imaginary.lanes(index))
        lanes += re * re + im * im
        index &+= 4
      }
      var energy = floor + lanes.total
      while index < end {
        let (re, im) = unsafe (real[index], imaginary[index])
        energy += re * re + im * im
        index &+= 1
      }
      sum += energy
      squares += energy * energy
    }
    return squares * Float(window) / (sum * sum)
  }
}
