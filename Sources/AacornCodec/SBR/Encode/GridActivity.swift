import AacornSignal

/// The changes of a channel's replicated bands from slot to slot.
///
/// It covers the frame's slots, four before them and twelve after. A decoder copies the low bands
/// and gives each envelope one gain, so only changes of the *ratio* of a high band to its source
/// need borders. If both have the same attack, the copy has it anyway. With r the logarithm of that
/// ratio and w the weight of a group of bands, the distortion of an envelope from slot a to slot b
/// is
///
///     d(a, b) = Σ w · Σ (r[t] − mean r)² = Σ w · (Σ r² − (Σ r)² / (b − a)),  a ≤ t < b
struct GridActivity: Sendable {
  /// The number of slots before slot 0, in a frame, and in all; a slot is two samples of the filter
  /// bank.
  static let pastSlotCount = 4
  static let frameSlots = 16
  static let slotCount = 32
  /// The number of slots from slot 0 on that distortions may span.
  static let span = slotCount - pastSlotCount
  private static let width = GridGroups.width

  /// The energies of the 64 bands in each slot, sums of two samples.
  private var bands = [Float](repeating: 0, count: 64 * slotCount + 4)
  /// The mean energies per band of groups and of their sources, in each slot.
  private var energies = [Float](repeating: 0, count: width * slotCount)
  private var sourceEnergies = [Float](repeating: 0, count: width * slotCount)
  /// Logarithms of the groups' energies.
  private var levels = [Float](repeating: 0, count: width * slotCount)
  /// Sums over the slots before each slot from 0 on: Σ √w · r for each group, and Σ w · r² of all
  /// groups.
  private var sums = [Float](repeating: 0, count: width * (span + 1))
  private var squares = [Float](repeating: 0, count: span + 1)
  /// The weights of groups; their sum is 1, or less near silence.
  private(set) var weights = [Float](repeating: 0, count: width)
  /// The loudness of the groups: the sum of their energies, each to the power of 0.3.
  private(set) var loudness: Float = 0
  /// Whether the slots before the new ones contain the previous frame.
  private var hasPast = false

  /// An energy 90 dB below a full-scale sine's (16-bit scale).
  private static let floor: Float = 2e3
  /// The energy relative to the loudest slot below which a slot is silent: −50 dB.
  private static let relativeFloor: Float = 1e-5
  /// The exponent by which energies become loudness.
  private static let loudnessExponent: Float = 0.3
  /// The share of `floor` that is added to energies before that.
  private static let addedShare: Float = 0.05

  mutating func reset() { hasPast = false }

  /// Advances to the next frame, whose energies are laid out as `SBRSpectrum.energies`.
  mutating func advance(_ spectrum: [Float], _ groups: GridGroups) {
    precondition(spectrum.count >= 2 * Self.slotCount * 64)
    let kept = hasPast ? Self.slotCount - Self.frameSlots : 0
    if kept > 0 {
      let width = Self.width
      bands.moveToFront(from: 64 * Self.frameSlots, count: 64 * kept)
      energies.moveToFront(from: width * Self.frameSlots, count: width * kept)
      sourceEnergies.moveToFront(from: width * Self.frameSlots, count: width * kept)
    }
    unsafe Self.addPairs(of: spectrum, slots: kept..<Self.slotCount, to: &bands)
    unsafe Self.withGroups(
      borders: groups.borders, sources: groups.sources, shares: groups.shares,
      sourceShares: groups.sourceShares, count: groups.count
    ) { groups in
      unsafe Self.group(
        slots: kept..<Self.slotCount, of: bands, by: groups, energies: &energies,
        sources: &sourceEnergies)
    }
    hasPast = true
    weigh(groups)
    sumUp()
  }

  /// Adds the energies of two samples of the filter bank to the energy of a slot.
  private static func addPairs(
    of spectrum: UnsafePointer<Float>, slots: Range<Int>, to bands: UnsafeMutablePointer<Float>
  ) {
    var index = 64 &* slots.lowerBound
    for slot in slots {
      let row = unsafe spectrum + 128 &* slot
      for band in stride(from: 0, to: 64, by: 4) {
        unsafe bands.store(row.lanes(band) + row.lanes(64 &+ band), index)
        index &+= 4
      }
    }
  }

  /// The lists of `GridGroups`.
  @unsafe
  private struct Groups {
    let borders, sources: UnsafePointer<Int>
    let shares, sourceShares: UnsafePointer<Float>
    let count: Int
  }

  @inline(__always)
  private static func withGroups(
    borders: UnsafePointer<Int>, sources: UnsafePointer<Int>, shares: UnsafePointer<Float>,
    sourceShares: UnsafePointer<Float>, count: Int, _ body: (Groups) -> Void
  ) {
    unsafe body(
      Groups(
        borders: borders, sources: sources, shares: shares, sourceShares: sourceShares,
        count: count))
  }

  /// Computes the energies of groups and sources in some slots.
  private static func group(
    slots: Range<Int>, of bands: UnsafePointer<Float>, by groups: Groups,
    energies: UnsafeMutablePointer<Float>, sources: UnsafeMutablePointer<Float>
  ) {
    let first = unsafe groups.borders[0]
    for slot in slots {
      let row = unsafe bands + 64 &* slot
      for group in unsafe 0..<groups.count {
        var (sum, sourceSum): (Float, Float) = (0, 0)
        for band in unsafe groups.borders[group]..<groups.borders[group &+ 1] {
          unsafe sum += row[band]
          let source = unsafe groups.sources[band &- first]
          if source >= 0 { unsafe sourceSum += row[source] }
        }
        let index = slot &* width &+ group
        unsafe energies[index] = sum * (0.5 * groups.shares[group])
        unsafe sources[index] = sourceSum * (0.5 * groups.sourceShares[group])
      }
    }
  }

  /// Weights the groups by their loudness.
  private mutating func weigh(_ groups: GridGroups) {
    var loudest: Float = 0
    var total: Float = 0
    for group in 0..<groups.count {
      var sum: Float = 0
      for slot in 0..<Self.slotCount { sum += energies[slot * Self.width + group] }
      let mean = sum * (1 / Float(Self.slotCount))
      loudest = max(loudest, mean)
      weights[group] = ElementaryFunctions.exp2(
        Self.loudnessExponent
          * ElementaryFunctions.log2(mean + Self.addedShare * Self.floor))
      total += weights[group]
    }
    loudness = total
    let scale = loudest / ((loudest + Self.floor) * total)
    for group in 0..<groups.count { weights[group] *= scale }
  }

  private mutating func sumUp() {
    for slot in squares.indices { squares[slot] = 0 }
    for group in stride(from: 0, to: Self.width, by: 4) {
      let weight = Lanes(
        weights[group], weights[group + 1], weights[group + 2], weights[group + 3])
      unsafe Self.sumFour(
        energies, sourceEnergies, weight: weight, group: group, levels: &levels, sums: &sums,
        squares: &squares)
    }
    // Replaces each slot's sum by the total before it.
    var total: Float = 0
    for slot in squares.indices {
      let square = squares[slot]
      squares[slot] = total
      total += square
    }
  }

  /// Sums four groups; the sums of squares stay separate for each slot.
  private static func sumFour(
    _ energies: UnsafePointer<Float>, _ sourceEnergies: UnsafePointer<Float>, weight: Lanes,
    group: Int, levels: UnsafeMutablePointer<Float>, sums: UnsafeMutablePointer<Float>,
    squares: UnsafeMutablePointer<Float>
  ) {
    var (peak, sourcePeak) = (Lanes.zero, Lanes.zero)
    for slot in 0..<slotCount {
      let index = slot &* width &+ group
      peak = unsafe peak.raised(to: energies.lanes(index))
      sourcePeak = unsafe sourcePeak.raised(to: sourceEnergies.lanes(index))
    }
    let minimum = peak * relativeFloor + Self.floor
    let sourceMinimum = sourcePeak * relativeFloor + Self.floor
    let root = weight.squareRoot()
    var sum = Lanes.zero
    for slot in 0..<slotCount {
      let index = slot &* width &+ group
      let level = unsafe ElementaryFunctions.log2(energies.lanes(index) + minimum)
      unsafe levels.store(level, index)
      guard slot >= pastSlotCount else { continue }
      let source = unsafe ElementaryFunctions.log2(sourceEnergies.lanes(index) + sourceMinimum)
      let ratio = (level - source) * root
      unsafe sums.store(sum, (slot &- pastSlotCount) &* width &+ group)
      sum += ratio
      unsafe squares[slot &- pastSlotCount] += (ratio * ratio).total
    }
    unsafe sums.store(sum, span &* width &+ group)
  }
}

extension GridActivity {
  /// Adds `weight` times the distortion of each possible envelope to `costs`.
  ///
  /// The distortion from slot a to slot b is at a · (`span` + 1) + b.
  func add(weight: Float, to costs: inout [Float]) {
    precondition(costs.count >= (Self.span + 1) * (Self.span + 1))
    unsafe Self.fill(sums: sums, squares: squares, weight: weight, into: &costs)
  }

  private static func fill(
    sums: UnsafePointer<Float>, squares: UnsafePointer<Float>, weight: Float,
    into costs: UnsafeMutablePointer<Float>
  ) {
    for start in 0..<span {
      let before = unsafe sums + start &* width
      let (low, high) = unsafe (before.lanes(0), before.lanes(4))
      let squaresBefore = unsafe squares[start]
      let row = unsafe costs + start &* (span &+ 1)
      // An envelope of the frame ends at slot 19 at the latest. All later envelopes estimate the
      // next frame.
      let last = start < frameSlots ? frameSlots &+ 3 : span
      for end in start &+ 1...last {
        let endSums = unsafe sums + end &* width
        let (lowSum, highSum) = unsafe (endSums.lanes(0) - low, endSums.lanes(4) - high)
        let mean = (lowSum * lowSum + highSum * highSum).total / Float(end &- start)
        let distortion = unsafe squares[end] - squaresBefore - mean
        unsafe row[end] += distortion > 0 ? weight * distortion : 0
      }
    }
  }

  /// Returns the rise of energy, in octaves, at the start of slot `slot`, 1…19.
  func rise(at slot: Int) -> Float {
    let offset = (Self.pastSlotCount + slot) * Self.width
    var sum: Float = 0
    for group in 0..<Self.width {
      let before =
        0.5 * (levels[offset - Self.width + group] + levels[offset - 2 * Self.width + group])
      let after = max(levels[offset + group], levels[offset + Self.width + group])
      sum += weights[group] * (after - before)
    }
    return sum
  }

  /// Returns the distortion that the high frequency resolution removes between two slots.
  ///
  /// A low-resolution band gives both of its halves the same mean energy per band.
  func resolutionGain(_ slots: Range<Int>, _ groups: GridGroups) -> Float {
    let borders = groups.high
    let bandCount = borders.count - 1
    var gain: Float = 0
    var total: Float = 0
    // With an odd number of high bands, the first one is also a low band.
    var band = bandCount & 1
    if band == 1 { total = weight(borders[0]..<borders[1], slots).weight }
    while band < bandCount {
      let low = weight(borders[band]..<borders[band + 1], slots)
      let high = weight(borders[band + 1]..<borders[band + 2], slots)
      let difference = low.level - high.level
      let both = low.weight + high.weight
      gain += low.weight * high.weight / both * difference * difference
      total += both
      band += 2
    }
    var scale: Float = 0
    for group in 0..<Self.width { scale += weights[group] }
    return total > 0 ? scale * gain / total * Float(slots.count) : 0
  }

  /// Returns the weight of some bands by their loudness between two slots, and their level.
  private func weight(
    _ bands: Range<Int>, _ slots: Range<Int>
  ) -> (weight: Float, level: Float) {
    precondition(slots.lowerBound >= -Self.pastSlotCount && slots.upperBound <= Self.span)
    precondition(bands.lowerBound >= 0 && bands.upperBound <= 64)
    let sum = unsafe Self.sum(of: bands, in: slots, energies: self.bands)
    let mean = sum / Float(2 * slots.count * bands.count)
    let level = ElementaryFunctions.log2(mean + Self.floor)
    let loudness = ElementaryFunctions.exp2(Self.loudnessExponent * level)
    return (Float(bands.count) * loudness, level)
  }

  private static func sum(
    of bands: Range<Int>, in slots: Range<Int>, energies: UnsafePointer<Float>
  ) -> Float {
    var sum: Float = 0
    for slot in slots {
      let row = unsafe energies + 64 &* (slot &+ pastSlotCount)
      for band in bands { unsafe sum += row[band] }
    }
    return sum
  }
}
