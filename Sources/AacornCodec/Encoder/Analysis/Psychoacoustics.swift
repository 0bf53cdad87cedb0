import AacornSignal

/// Estimates the noise that each band of a channel masks.
///
/// The energies are spread over the bands. Tones mask less noise than noise does. The threshold is
/// never below the threshold in quiet, and never much above the previous frame's threshold, so that
/// the noise is not audible before the sound that masks it.
struct Psychoacoustics: SegmentStage {
  /// The energy of each band, in the order of the layout.
  private(set) var energy = [Float](repeating: 0, count: BandLayout.listCapacity)
  /// The energy of the noise that each band masks.
  private(set) var threshold = [Float](repeating: 0, count: BandLayout.listCapacity)
  /// The tonality of each band, 0…1.
  private(set) var tonality = [Float](repeating: 0, count: BandLayout.listCapacity)

  private var previousThreshold = [Float](repeating: 0, count: BandLayout.listCapacity)
  private var hasPrevious = false
  private var scratch = Scratch()

  /// The values of one group: band b is at `origin` + b, with a zero below the first band and zeros
  /// above the last one.
  private struct Scratch: Sendable {
    static let origin = 4
    var energy = [Float](repeating: 0, count: 72)
    var magnitude = [Float](repeating: 0, count: 72)
    var width = [Float](repeating: 0, count: 72)
    var spread = [Float](repeating: 0, count: 72)
  }

  /// A threshold is limited by the previous frame's threshold, which was not limited itself.
  static var lookBack: Int { 1 }

  /// Keeps all state: at segment boundaries, too, noise would be audible before a sound.
  mutating func begin(atFrame index: Int) {}

  /// Removes the limit of the next frame's thresholds, because the last frame had other bands.
  mutating func discardPrevious() { hasPrevious = false }

  /// Analyzes a spectrum in the order of `layout`.
  mutating func analyze(_ lines: [Float], _ layout: BandLayout, by model: MaskingModel) {
    let count = layout.window.bandsPerGroup
    precondition(count <= model.bandCount && count <= 64 && lines.count >= layout.lineCount)
    for group in 0..<layout.window.groupCount {
      let first = group * count
      precondition(first + count <= BandLayout.maximumBandCount)
      unsafe Self.withSums(
        energy: &scratch.energy, magnitude: &scratch.magnitude, width: &scratch.width
      ) { sums in
        unsafe Self.measure(
          lines, bands: first..<first + count, offsets: layout.offsets, widths: layout.widths,
          sums: sums, into: &energy)
      }
      unsafe Self.estimateTonality(
        energy: scratch.energy, magnitude: scratch.magnitude, width: scratch.width,
        first..<first + count, into: &tonality)
      unsafe Self.spreadEnergy(
        scratch.energy, count, selfFraction: model.selfFraction, decayUp: model.decayUp,
        decayDown: model.decayDown, into: &scratch.spread)
      unsafe Self.withMask(
        noiseOffset: model.noiseOffset, toneOffset: model.toneOffset, quiet: model.quiet
      ) { mask in
        unsafe Self.setThresholds(
          first..<first + count, spread: scratch.spread, tonality: tonality, mask,
          windows: Float(layout.window.groupLengths[group]), into: &threshold)
      }
    }
    controlPreEcho(layout)
  }

  /// The values of a group in `Scratch`.
  @unsafe
  private struct Sums {
    let energy, magnitude, width: UnsafeMutablePointer<Float>
  }

  @inline(__always)
  private static func withSums(
    energy: UnsafeMutablePointer<Float>, magnitude: UnsafeMutablePointer<Float>,
    width: UnsafeMutablePointer<Float>, _ body: (Sums) -> Void
  ) {
    unsafe body(Sums(energy: energy, magnitude: magnitude, width: width))
  }

  /// Sums squares and magnitudes of each band of a group.
  private static func measure(
    _ lines: UnsafePointer<Float>, bands: Range<Int>, offsets: UnsafePointer<Int>,
    widths: UnsafePointer<Float>, sums: Sums, into list: UnsafeMutablePointer<Float>
  ) {
    for band in bands {
      var n = unsafe offsets[band]
      let end = unsafe offsets[band &+ 1]
      var squares = Lanes.zero
      var magnitudes = Lanes.zero
      while n < end {
        let value = unsafe lines.lanes(n)
        squares += value * value
        magnitudes += value.magnitude
        n &+= 4
      }
      let sum = squares.total
      let index = Scratch.origin &+ band &- bands.lowerBound
      unsafe sums.energy[index] = sum
      unsafe sums.magnitude[index] = magnitudes.total
      unsafe sums.width[index] = widths[band]
      unsafe list[band] = sum
    }
    let end = Scratch.origin &+ bands.count
    for pad in end..<end &+ 4 {
      unsafe sums.energy[pad] = 0
      unsafe sums.magnitude[pad] = 0
      unsafe sums.width[pad] = 0
    }
  }

  /// The flatness at which tonality is 0, and the tonality gained for each unit below it, up to 1.
  private static let noiseFlatness: Float = 0.56
  private static let tonalityPerFlatness: Float = 3
  /// The maximum ratio of a threshold to the previous frame's threshold.
  private static let maxThresholdRise: Float = 4
  /// The minimum share of a threshold that this limit leaves.
  private static let minThresholdShare: Float = 0.02

  /// Estimates tonality from the flatness of the magnitudes, (Σ|x|)²/(N·Σx²).
  ///
  /// The flatness is 0.64 for noise and 1/N for a tone. A narrow band alone is unreliable, so each
  /// is combined with its neighbors.
  private static func estimateTonality(
    energy: UnsafePointer<Float>, magnitude: UnsafePointer<Float>,
    width: UnsafePointer<Float>, _ bands: Range<Int>,
    into tonality: UnsafeMutablePointer<Float>
  ) {
    let first = bands.lowerBound
    var band = 0
    while band < bands.count {
      let n = Scratch.origin &+ band
      let near = unsafe magnitude.lanes(n &- 1) + magnitude.lanes(n) + magnitude.lanes(n &+ 1)
      let power = unsafe energy.lanes(n &- 1) + energy.lanes(n) + energy.lanes(n &+ 1) + 1e-9
      let lines = unsafe width.lanes(n &- 1) + width.lanes(n) + width.lanes(n &+ 1) + 1e-9
      let value = (noiseFlatness - near * near / (lines * power)) * tonalityPerFlatness
      unsafe tonality.store(value.clamped(from: 0, to: 1), first &+ band)
      band &+= 4
    }
  }

  /// Spreads the energies of a group along the Bark scale, upward and downward.
  private static func spreadEnergy(
    _ padded: UnsafePointer<Float>, _ count: Int, selfFraction: UnsafePointer<Float>,
    decayUp: UnsafePointer<Float>, decayDown: UnsafePointer<Float>,
    into spread: UnsafeMutablePointer<Float>
  ) {
    let energy = unsafe padded + Scratch.origin
    var lower: Float = 0
    for band in 0..<count {
      unsafe lower = lower * decayUp[band]
      unsafe spread[band] = energy[band] * selfFraction[band] + lower
      unsafe lower += energy[band]
    }
    var upper: Float = 0
    var band = count &- 2
    while band >= 0 {
      unsafe upper = (upper + energy[band &+ 1]) * decayDown[band]
      unsafe spread[band] += upper
      band &-= 1
    }
  }

  /// The properties of `MaskingModel` that determine the masked noise.
  @unsafe
  private struct Mask {
    let noiseOffset, toneOffset, quiet: UnsafePointer<Float>
  }

  @inline(__always)
  private static func withMask(
    noiseOffset: UnsafePointer<Float>, toneOffset: UnsafePointer<Float>,
    quiet: UnsafePointer<Float>, _ body: (Mask) -> Void
  ) {
    unsafe body(Mask(noiseOffset: noiseOffset, toneOffset: toneOffset, quiet: quiet))
  }

  /// Derives the masked noise from the spread energies, at least the threshold in quiet.
  private static func setThresholds(
    _ bands: Range<Int>, spread: UnsafePointer<Float>, tonality: UnsafePointer<Float>,
    _ mask: Mask, windows: Float, into threshold: UnsafeMutablePointer<Float>
  ) {
    let first = bands.lowerBound
    var band = 0
    while band < bands.count {
      let noise = unsafe mask.noiseOffset.lanes(band)
      let tone = unsafe mask.toneOffset.lanes(band)
      let offset = unsafe noise + (tone - noise) * tonality.lanes(first &+ band)
      let masked = unsafe spread.lanes(band) * offset
      unsafe threshold.store(masked.raised(to: mask.quiet.lanes(band) * windows), first &+ band)
      band &+= 4
    }
  }

  private mutating func controlPreEcho(_ layout: BandLayout) {
    guard !layout.window.isShort else {
      hasPrevious = false
      return
    }
    unsafe Self.controlPreEcho(
      &threshold, previous: &previousThreshold, count: layout.bandCount, hasPrevious: hasPrevious)
    hasPrevious = true
  }

  private static func controlPreEcho(
    _ threshold: UnsafeMutablePointer<Float>, previous: UnsafeMutablePointer<Float>, count: Int,
    hasPrevious: Bool
  ) {
    var band = 0
    while band < count {
      let now = unsafe threshold.lanes(band)
      if hasPrevious {
        let bounded = unsafe now.lowered(to: previous.lanes(band) * maxThresholdRise)
        unsafe threshold.store(bounded.raised(to: now * minThresholdShare), band)
      }
      unsafe previous.store(now, band)
      band &+= 4
    }
  }
}
