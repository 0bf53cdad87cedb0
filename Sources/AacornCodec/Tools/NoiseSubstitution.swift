import AacornSignal

/// Perceptual noise substitution: for noise bands, only the energy is sent.
///
/// ISO/IEC 14496-3, 4.6.13; MPEG-2 AAC does not have it. It helps at very low bitrates. Lines coded
/// with a signal-to-noise ratio of a few decibels are mostly noise anyway, with an uneven level.
/// Noise of the right level sounds better, and the bits are spent where they are audible.
enum NoiseSubstitution {
  /// The frequency in hertz below which the ear distinguishes one noise from another too well.
  private static let lowestFrequency: Float = 4_000
  private static let minLineCount: Float = 8
  private static let maxTonality: Float = 0.4
  /// The ratio of energy to noise above which a band is coded.
  private static let poorRatio: Float = 2.8

  /// Marks the noise bands of a channel; `level` is the frame's likely noise level.
  static func mark(
    _ frame: inout ChannelFrame, _ layout: BandLayout, level: Float, hertzPerLine: Float
  ) {
    let scale = ElementaryFunctions.exp2(level) * poorRatio
    let lowest = Int(lowestFrequency / hertzPerLine) + 1
    var previous: Int32?
    let window = layout.window
    for group in 0..<window.groupCount {
      let first = group * window.bandsPerGroup
      let windows = Float(window.groupLengths[group])
      for offset in 0..<window.bandsPerGroup where layout.windowOffsets[offset] >= lowest {
        let band = first + offset
        let energy = frame.psychoacoustics.energy[band]
        guard energy < frame.threshold[band] * scale, energy > 1,
          layout.widths[band] >= minLineCount, frame.psychoacoustics.tonality[band] < maxTonality,
          frame.isSpectral(band)
        else { continue }
        let exact = 2 * ElementaryFunctions.log2(energy / windows)
        let value = Int32(exact + 0.5)
        // A difference beyond the codebook would be coded as a wrong energy, so the band does not
        // become noise.
        if let previous, abs(value - previous) > Int32(ScaleFactorBook.largestDifference) {
          continue
        }
        previous = value
        frame.codebooks[band] = Codebook.noise
        frame.scaleFactors[band] = value
      }
    }
  }

  /// Fills the noise bands of a channel with noise of the coded energy, in each window.
  ///
  /// Bands of `channel` with a flag in `shared` use the noise of the pair's `first` channel
  /// (4.6.13.3).
  static func undo(
    _ parsed: ParsedChannel, offsets: [Int], unit: Int, channel: Int, first: Int, shared: [Bool],
    into lines: inout [Float]
  ) {
    guard parsed.noiseBandCount > 0 else { return }
    parsed.window.forEachBand(offsets) { band, range, window in
      guard parsed.codebooks[band] == Codebook.noise else { return }
      let isShared = band < shared.count && shared[band]
      precondition(range.upperBound <= lines.count)
      unsafe fill(
        &lines, in: range,
        with: NoiseGenerator(
          unit: unit, channel: isShared ? first : channel, bandIndex: window << 8 | band),
        gain: Dequantizer.gain(Int(parsed.scaleFactors[band])))
    }
  }

  /// Sets lines to noise with the energy gain².
  private static func fill(
    _ lines: UnsafeMutablePointer<Float>, in range: Range<Int>, with generator: NoiseGenerator,
    gain: Float
  ) {
    var noise = generator
    var sums = Lanes.zero
    var line = range.lowerBound
    while line < range.upperBound {
      // Scaled, so that the sum of squares cannot overflow.
      let values = Lanes(noise.next(), noise.next(), noise.next(), noise.next()) * 0x1p-31
      unsafe lines.store(values, line)
      sums += values * values
      line &+= 4
    }
    let scale = gain / max(sums.total, 1e-9).squareRoot()
    line = range.lowerBound
    while line < range.upperBound {
      unsafe lines.store(lines.lanes(line) * scale, line)
      line &+= 4
    }
  }
}

/// Pseudorandom numbers for noise substitution and concealment.
///
/// They depend only on the unit, the channel and the index, so that decoding may begin at any unit
/// and gives the same samples on every platform.
struct NoiseGenerator {
  private var state: UInt32

  /// Creates a generator for a band of a window, which `bandIndex` numbers, in a channel of a unit.
  init(unit: Int, channel: Int, bandIndex: Int) {
    // Rounds of multiplication and folding spread every bit of the position over all of the state.
    var seed = UInt64(truncatingIfNeeded: unit) &* 0x9E37_79B9_7F4A_7C15
    seed ^= UInt64(truncatingIfNeeded: channel << 16 ^ bandIndex) &* 0xC2B2_AE3D_27D4_EB4F
    seed ^= seed >> 29
    seed &*= 0x1656_67B1_9E37_79F9
    seed ^= seed >> 32
    state = UInt32(truncatingIfNeeded: seed)
  }

  /// Returns the next number, uniform in ±2³¹.
  @inline(__always)
  mutating func next() -> Float {
    state = state &* 1_664_525 &+ 1_013_904_223
    return Float(Int32(bitPattern: state))
  }

  /// Returns whether the next number is negative.
  @inline(__always)
  mutating func nextSign() -> Bool {
    state = state &* 1_664_525 &+ 1_013_904_223
    return state >> 31 != 0
  }
}
