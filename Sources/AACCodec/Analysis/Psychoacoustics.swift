/// Estimates how much noise each band of one channel can hide.
///
/// Spread the energies, allow less under tones than under noise, never less than the threshold in
/// quiet, and never much more than a moment ago, lest the noise be heard before the sound that
/// masks it.
struct Psychoacoustics: Sendable {
  /// Energy of each band, in the order of the layout.
  private(set) var energy = [Float](repeating: 0, count: BandLayout.maximumBandCount)
  /// Energy of the noise that each band hides.
  private(set) var threshold = [Float](repeating: 0, count: BandLayout.maximumBandCount)
  /// How tonal each band is, 0…1.
  private(set) var tonality = [Float](repeating: 0, count: BandLayout.maximumBandCount)

  private var magnitudeSum = [Float](repeating: 0, count: BandLayout.maximumBandCount)
  private var spread = [Float](repeating: 0, count: 64)
  private var previousThreshold = [Float](repeating: 0, count: 64)
  private var hasPrevious = false

  /// Measures a spectrum that lies in the order of `layout`.
  mutating func analyse(_ lines: [Float], _ layout: BandLayout, _ model: MaskingModel) {
    precondition(layout.bandsPerGroup <= model.bandCount && lines.count >= layout.lineCount)
    for band in 0..<layout.bandCount {
      let sums = unsafe Self.sums(lines, layout.offsets[band], layout.offsets[band + 1])
      energy[band] = sums.energy
      magnitudeSum[band] = sums.magnitude
    }
    let count = layout.bandsPerGroup
    for group in 0..<layout.groupLengths.count {
      let first = group * count
      estimateTonality(first, layout, isShort: layout.isShort)
      spreadEnergy(first, count, model)
      let windows = Float(layout.groupLengths[group])
      for band in 0..<count {
        let tone = tonality[first + band]
        let offset =
          model.noiseOffset[band] + (model.toneOffset[band] - model.noiseOffset[band]) * tone
        threshold[first + band] = max(spread[band] * offset, model.quiet[band] * windows)
      }
    }
    controlPreEcho(layout)
  }

  /// Tonality from the flatness of the magnitudes, (Σ|x|)²/(N·Σx²): 0.64 for noise, 1/N for a tone.
  ///
  /// A narrow band alone says little, so each looks at its neighbours as well.
  private mutating func estimateTonality(_ first: Int, _ layout: BandLayout, isShort: Bool) {
    let count = layout.bandsPerGroup
    for band in 0..<count {
      let low = max(0, band - 1)
      let high = min(count - 1, band + 1)
      var magnitude: Float = 0
      var energySum: Float = 1e-9
      for near in low...high {
        magnitude += magnitudeSum[first + near]
        energySum += energy[first + near]
      }
      let width = layout.offsets[first + high + 1] - layout.offsets[first + low]
      let flatness = magnitude * magnitude / (Float(width) * energySum)
      tonality[first + band] = min(1, max(0, (0.56 - flatness) * 3))
    }
  }

  private mutating func spreadEnergy(_ first: Int, _ count: Int, _ model: MaskingModel) {
    var lower: Float = 0
    for band in 0..<count {
      if band > 0 { lower = (lower + energy[first + band - 1]) * model.decayUp[band] }
      spread[band] = energy[first + band] * model.selfShare[band] + lower
    }
    var upper: Float = 0
    for band in stride(from: count - 1, through: 0, by: -1) {
      if band + 1 < count { upper = (upper + energy[first + band + 1]) * model.decayDown[band] }
      spread[band] += upper
    }
  }

  private mutating func controlPreEcho(_ layout: BandLayout) {
    guard !layout.isShort else {
      hasPrevious = false
      return
    }
    for band in 0..<layout.bandCount {
      let now = threshold[band]
      if hasPrevious {
        threshold[band] = max(0.02 * now, min(now, 4 * previousThreshold[band]))
      }
      previousThreshold[band] = now
    }
    hasPrevious = true
  }

  private static func sums(
    _ x: UnsafePointer<Float>, _ start: Int, _ end: Int
  ) -> (energy: Float, magnitude: Float) {
    var energy = Lanes.zero
    var magnitude = Lanes.zero
    for n in stride(from: start, to: end, by: 4) {
      let value = unsafe x.lanes(n)
      energy += value * value
      magnitude += value.magnitude
    }
    return (energy.total, magnitude.total)
  }
}
