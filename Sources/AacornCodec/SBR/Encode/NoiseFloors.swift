import AacornSignal

/// Chooses the noise that decoders add to the copied bands (ISO/IEC 14496-3, 4.6.18.7.3).
///
/// Of a band's energy the share Q / (1 + Q) is noise, the remainder is the copy. With a share of
/// noise n in the original and c in the copy, Q = (n − c) / (1 − n) makes the shares equal. If
/// original and copy are nearly all noise, this quotient is uncertain; but then no noise is
/// missing.
struct NoiseFloors: Sendable {
  /// The weights of the last four halves of frames, the oldest first.
  private static let weights: [Float] = [0.0586, 0.2, 0.3414, 0.4]
  /// The tonality of white noise as measured by `BandTonality`, plus one.
  private static let noiseTonality: Float = 2.15
  /// The maximum noise relative to the copy.
  private static let maximum: Float = 0.5
  /// The minimum of Q: practically no noise, and not as far from other values as the lowest codable
  /// Q, 2^−24.
  private static let minimum: Float = 0.000_015_258_789
  /// The amount subtracted from the difference of shares, and added to the divisor.
  private static let uncertainty: Float = 0.1

  // Q by noise band of the last three halves, the oldest first.
  private var oldest = SIMD8<Float>()
  private var older = SIMD8<Float>()
  private var old = SIMD8<Float>()
  /// The noise scalefactors of the last frame.
  private var last = SIMD8<UInt8>()
  private var isFirst = true

  mutating func reset() { isFirst = true }

  /// Returns the scalefactors of the next frame: floor q, noise band b at 8q + b.
  mutating func levels(
    _ means: NoiseBandMeans, modes: SIMD8<UInt8>, _ grid: SBRGrid, count: Int
  ) -> SIMD16<UInt8> {
    let transient = grid.transient
    let isNew = isFirst
    let transientFloor =
      0..<grid.envelopeCount ~= transient ? grid.noiseFloor(transient) : -1
    let first = advance(
      Self.ratios(
        original: means.original.lowHalf, source: means.source.lowHalf,
        steadiness: means.steadiness.lowHalf, modes: modes, count: count),
      isNew: transientFloor == 0)
    let second = advance(
      Self.ratios(
        original: means.original.highHalf, source: means.source.highHalf,
        steadiness: means.steadiness.highHalf, modes: modes, count: count),
      isNew: transientFloor == 1)
    var result = SIMD16<UInt8>()
    for band in 0..<count {
      let hasTwo = grid.noiseCount > 1
      let ratio = hasTwo ? first[band] : (first[band] + second[band]) * 0.5
      result[band] = Self.level(ratio, last: isNew ? nil : last[band])
      if hasTwo { result[8 + band] = Self.level(second[band], last: result[band]) }
      last[band] = result[band + (hasTwo ? 8 : 0)]
    }
    return result
  }

  /// Returns the weighted mean of the last four halves, or only the last one if `isNew`.
  private mutating func advance(_ ratios: SIMD8<Float>, isNew: Bool) -> SIMD8<Float> {
    if isFirst || isNew {
      isFirst = false
      oldest = ratios
      older = ratios
      old = ratios
      return ratios
    }
    let past = oldest * Self.weights[0] + older * Self.weights[1] + old * Self.weights[2]
    oldest = older
    older = old
    old = ratios
    return past + ratios * Self.weights[3]
  }

  /// Returns Q of each noise band in one half.
  private static func ratios(
    original: SIMD8<Float>, source: SIMD8<Float>, steadiness: SIMD8<Float>, modes: SIMD8<UInt8>,
    count: Int
  ) -> SIMD8<Float> {
    var copy = SIMD8<Float>()
    for band in 0..<count {
      copy[band] = max(
        source[band] - InverseFilteringChoice.reductions[Int(modes[band])], 0)
    }
    let (wanted, present) = (shares(original), shares(copy))
    var result = SIMD8<Float>(repeating: minimum)
    for band in 0..<count {
      let difference = wanted[band] - present[band] - uncertainty
      let ratio = difference / (1 - wanted[band] + uncertainty)
      result[band] = max(min(ratio, maximum) * steadiness[band], minimum)
    }
    return result
  }

  /// Returns the share of noise for log₂ of a tonality: 1 for noise, less for tones.
  private static func shares(_ levels: SIMD8<Float>) -> SIMD8<Float> {
    let low = ElementaryFunctions.exp2(levels.lowHalf) + 1
    let high = ElementaryFunctions.exp2(levels.highHalf) + 1
    let shares = noiseTonality / SIMD8<Float>(lowHalf: low, highHalf: high)
    return pointwiseMin(shares, SIMD8(repeating: 1))
  }

  /// The distance from the previous level below which a band keeps it.
  private static let keptDistance: Float = 0.75

  /// Returns 6 − log₂ Q as an integer; the previous level if that is close.
  private static func level(_ ratio: Float, last: UInt8?) -> UInt8 {
    let level = 6 - ElementaryFunctions.log2(max(ratio, minimum))
    if let last, abs(level - Float(last)) < keptDistance { return last }
    return UInt8(min(Float(SBRValueCoding.maxNoiseLevel), max(0, level + 0.5)))
  }
}

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
  mutating func measure(
    _ tonality: BandTonality, of spectrum: SBRSpectrum, with tables: SBRTables
  ) {
    precondition(tables.noiseCount <= SBRChannelData.maxNoiseBandCount)
    for band in 0..<tables.noiseCount {
      let bands = tables.noise[band]..<tables.noise[band + 1]
      for half in 0..<2 {
        let row = half * BandTonality.width
        var (originalSum, sourceSum) = (Float(0), Float(0))
        for index in bands {
          let source = tables.sources[index - tables.start]
          originalSum += tonality.levels[row + index]
          if source >= 0 { sourceSum += tonality.levels[row + source] }
        }
        original[8 * half + band] = originalSum / Float(bands.count)
        source[8 * half + band] = sourceSum / Float(bands.count)
      }
      measureSteadiness(of: spectrum, band: band, bands: bands)
    }
  }

  /// The number of slots analyzed for each half: the half, and four more on both sides.
  private static let window = 24

  /// The excess that indicates an attack, or the pulses of a voice.
  private static let unsteadyExcess: Float = 0.15

  /// Measures the steadiness.
  ///
  /// The mean square of the slots' energies of noise is 1 + 1 / bands times their squared mean. The
  /// steadiness falls from 1 without an excess to 0 at `unsteadyExcess`.
  private mutating func measureSteadiness(
    of spectrum: SBRSpectrum, band: Int, bands: Range<Int>
  ) {
    let first = SBRSpectrum.pastSlotCount - 4
    let end = 64 * (first + Self.window + BandTonality.halfSlots)
    precondition(spectrum.real.count >= end && spectrum.imaginary.count >= end)
    precondition(bands.lowerBound >= 0 && bands.upperBound <= 64 && !bands.isEmpty)
    for half in 0..<2 {
      let from = 64 * (first + half * BandTonality.halfSlots)
      let crest = unsafe Self.crest(spectrum.real, spectrum.imaginary, from: from, bands: bands)
      let excess = crest - 1 - 1 / Float(bands.count)
      steadiness[8 * half + band] = min(1, max(0, 1 - excess * (1 / Self.unsteadyExcess)))
    }
  }

  /// Returns the mean square of the slots' energies relative to the square of their mean.
  private static func crest(
    _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>, from: Int, bands: Range<Int>
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
