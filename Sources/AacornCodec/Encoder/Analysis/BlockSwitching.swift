import AacornSignal

/// Chooses each frame's window sequence, one frame ahead (ISO/IEC 14496-3, 4.6.11.3).
///
///     now \ next     no attack      attack
///     LONG, STOP     ONLY_LONG      LONG_START
///     START, SHORT   LONG_STOP *    EIGHT_SHORT       * or EIGHT_SHORT if the attack is now
struct BlockSwitching: SegmentStage {
  private(set) var sequence: WindowSequence = .onlyLong
  private var hasAttackInFrame = false
  private var hasAttackInNextFrame = false

  /// The attacks of three frames determine the windows of the third, whatever the previous windows.
  static var lookBack: Int { 2 }

  /// Keeps all state: the slopes of neighboring frames must match at segment boundaries as well.
  mutating func begin(atFrame index: Int) {}

  /// Advances by one frame; `attack` states whether the frame after it has an attack.
  mutating func advance(attackInNextFrame attack: Bool) {
    let previous = sequence
    hasAttackInFrame = hasAttackInNextFrame
    hasAttackInNextFrame = attack
    if hasAttackInFrame && previous.hasShortRightSlope {
      sequence = .eightShort
    } else if hasAttackInNextFrame {
      sequence = previous.hasShortRightSlope ? .eightShort : .longStart
    } else {
      sequence = previous.hasShortRightSlope ? .longStop : .onlyLong
    }
  }

  /// Divides the eight windows of a short frame into groups of similar energy.
  ///
  /// All windows of a group get the noise that the quietest one masks, which wastes bits on the
  /// others: half a bit per line for each doubling of the energy. An additional group costs
  /// scalefactors. The cheapest division is a shortest path from window to window.
  static func divide(_ window: inout WindowInfo, energies: SIMD8<Float>) {
    let audible = energies + 1024
    let levels = SIMD8(
      lowHalf: ElementaryFunctions.log2(audible.lowHalf),
      highHalf: ElementaryFunctions.log2(audible.highHalf))
    var cost = SIMD8<Float>(repeating: .infinity)
    var length = SIMD8<Int>.zero
    for last in 0..<8 {
      var minimum = Float.infinity
      var sum: Float = 0
      for first in stride(from: last, through: 0, by: -1) {
        minimum = min(minimum, levels[first])
        sum += levels[first]
        let count = last - first + 1
        let price =
          (first > 0 ? cost[first - 1] : 0) + Self.groupCost + sum - minimum * Float(count)
        if price < cost[last] {
          cost[last] = price
          length[last] = count
        }
      }
    }
    var lengths = SIMD8<UInt8>.zero
    var (count, last) = (0, 7)
    while last >= 0 {
      // The groups are found from the last to the first.
      for group in stride(from: count, to: 0, by: -1) { lengths[group] = lengths[group - 1] }
      lengths[0] = UInt8(truncatingIfNeeded: length[last])
      count += 1
      last -= length[last]
    }
    window.groupCount = count
    window.groupLengths = lengths
  }

  /// The cost of one more group's scalefactors.
  ///
  /// The unit is the cost of a window with twice the energy of the quietest one in its group.
  private static let groupCost: Float = 6
}

/// Detects attacks and sudden ends, at which a channel becomes much louder or nearly silent.
///
/// A frame's long window smears the quantization noise over 2048 samples. Before an attack inside
/// the window the noise is audible (pre-echo), so the encoder uses short windows. Hearing recovers
/// so slowly that a sound mostly masks the noise after it. An exception is a sound that stops
/// within two milliseconds: the noise continues for up to thirty.
///
/// The detector works on the first difference of the samples, in sub-blocks of 64 samples. The
/// difference emphasizes the high frequencies, where attacks stand out. Sub-blocks 2j and 2j+1
/// coincide with the center of short window j.
struct TransientDetector: SegmentStage {
  /// Sub-blocks per frame.
  static let blockCount = 16
  private static let blockLength = 64

  /// The energies of the sub-blocks of the last two analyzed frames.
  private(set) var energies = [Float](repeating: 0, count: 2 * blockCount)
  /// The results for the frame analyzed last, and for the previous one.
  private(set) var next = Result()
  private(set) var current = Result()

  /// The result for one frame.
  struct Result: Sendable {
    /// Whether the frame has an attack or a sudden end.
    var isAbrupt = false
    /// The largest sub-block energy over the mean: 1 for a steady signal, 16 for a click.
    var crest: Float = 1
  }

  /// A result depends on the energies of its frame and the previous one; two results are stored.
  static var lookBack: Int { 2 }

  /// Keeps all state: by the third frame all earlier state has been replaced.
  mutating func begin(atFrame index: Int) {}

  /// Analyzes 1024 samples from `start`; the sample before them is read as well.
  ///
  /// In the first frame of a stream, a sound does not begin: decoders discard what precedes it, so
  /// noise before it is not audible.
  mutating func analyze(_ samples: [Float], from start: Int, isFirst: Bool = false) {
    precondition(start >= 1 && samples.count >= start + 1024)
    unsafe samples.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      for block in 0..<Self.blockCount {
        energies[block] = energies[block + Self.blockCount]
        energies[block + Self.blockCount] = unsafe Self.differenceEnergy(
          base + start + block * Self.blockLength)
      }
    }
    if isFirst {
      for block in 0..<Self.blockCount { energies[block] = energies[Self.blockCount] }
    }
    current = next
    next = decide()
  }

  /// The energy in each short window of the frame before the one analyzed last.
  ///
  /// The center of a window is two sub-blocks. Its slopes extend over one more sub-block on either
  /// side, but pass little of that energy.
  var windowEnergies: SIMD8<Float> {
    var result = SIMD8<Float>.zero
    for window in 0..<8 {
      let center = 2 * window
      let slopes = energies[max(0, center - 1)] + energies[center + 2]
      result[window] = 0.4 * (energies[center] + energies[center + 1]) + 0.1 * slopes
    }
    return result
  }

  private mutating func decide() -> Result {
    var result = Result()
    var total: Float = 0
    var peak: Float = 0
    for block in Self.blockCount..<2 * Self.blockCount {
      let energy = energies[block]
      total += energy
      peak = max(peak, energy)
      if !result.isAbrupt { result.isAbrupt = isAttack(block) || isEnd(block) }
    }
    result.crest = total > 0 ? peak * Float(Self.blockCount) / total : 1
    return result
  }

  /// Returns whether a sub-block is an attack.
  ///
  /// Its energy must exceed eight times the mean of the recent sub-blocks, and twice the energy of
  /// each of the last eight sub-blocks (12 ms at 44.1 kHz). The second condition excludes voice
  /// pulses, which follow each other at shorter intervals.
  private func isAttack(_ block: Int) -> Bool {
    let energy = energies[block]
    guard energy > Self.floor, energy > Self.attackRatio * recentMean(before: block) else {
      return false
    }
    for before in block - 8..<block where energy <= 2 * energies[before] { return false }
    return true
  }

  /// The weight of a sub-block in `recentMean`, as a share of the weight of the next one.
  private static let recentDecay: Float = 0.8
  /// The weight of the last sub-block.
  private static let recentWeight: Float = 0.2

  /// Returns the weighted mean of the sixteen preceding sub-blocks.
  private func recentMean(before block: Int) -> Float {
    var mean: Float = 0
    for before in block - Self.blockCount..<block {
      mean = mean * Self.recentDecay + energies[before] * Self.recentWeight
    }
    return mean
  }

  /// Returns whether an audible signal has stopped within the last two sub-blocks.
  ///
  /// The quiet must be new, and last as far as it is known. Between the pulses of a low tone it is
  /// quiet as well, but not for the first time.
  private func isEnd(_ block: Int) -> Bool {
    let before = max(energies[block - 1], energies[block - 2])
    let quiet = before / Self.endRatio
    guard before > Self.endShare * Self.floor, energies[block] < quiet else { return false }
    var wasLoud = false
    for earlier in block - Self.blockCount..<block - 2 {
      if energies[earlier] < quiet && wasLoud { return false }
      if energies[earlier] > Self.endShare * before { wasLoud = true }
    }
    let end = min(block + 1 + Self.quietBlocks, 2 * Self.blockCount)
    for later in block + 1..<end where energies[later] > Self.returnRatio * quiet { return false }
    return true
  }

  /// The minimum ratio of an attack's energy to the recent mean.
  private static let attackRatio: Float = 8
  /// The minimum ratio of a signal's energy to the energy after its end.
  private static let endRatio: Float = 100
  /// The share of the energy before an end, or of `floor`, that counts as loud.
  private static let endShare: Float = 0.1
  /// The number of sub-blocks after an end that must stay quiet.
  private static let quietBlocks = 8
  /// The energy, as a multiple of the quiet, at which a signal has returned.
  private static let returnRatio: Float = 4
  /// The energy of a sub-block below which pre-echo is inaudible (16-bit scale).
  private static let floor: Float = 64 * 60 * 60

  private static func differenceEnergy(_ x: UnsafePointer<Float>) -> Float {
    var sum0 = Lanes.zero
    var sum1 = Lanes.zero
    for n in stride(from: 0, to: blockLength, by: 8) {
      let d0 = unsafe x.lanes(n) - x.lanes(n - 1)
      let d1 = unsafe x.lanes(n + 4) - x.lanes(n + 3)
      sum0 += d0 * d0
      sum1 += d1 * d1
    }
    return (sum0 + sum1).total
  }
}

/// Estimates the cost of the far side lobes of the sine window in a long block.
///
/// A sine of energy E leaves about E/(32·d⁴) in a line d lines away. Lines must be coded if this
/// leakage exceeds their band's own energy and masked noise. The Kaiser-Bessel derived window has
/// no such side lobes. But its main lobe is wider, which costs bits where many tones are close
/// together.
struct LeakageModel: Sendable {
  /// Bits per frame and channel above which the wider main lobe pays off.
  static let minBitsForWideLobe: Float = 15

  private let bandCount: Int
  /// The fraction of a band's energy that leaks into each other band: rows are sources.
  private var share: [Float]

  private static let capacity = 64
  /// The minimum energy of a band that leaks audibly, as a share of the loudest band: −24 dB.
  private static let audibleShare: Float = 0.004
  /// The ratio of leakage to what hides it, up to which leakage costs no bits.
  private static let freeLeakage: Float = 0.1

  /// Creates a model for the bands of a long window, which start at `offsets`.
  init(offsets: [Int]) {
    bandCount = offsets.count - 1
    share = [Float](repeating: 0, count: bandCount * Self.capacity)
    for target in 0..<bandCount {
      // In adjacent bands the main lobe dominates, whatever the window.
      for source in 0..<bandCount where abs(source - target) > 1 {
        let center = Float(offsets[source] + offsets[source + 1]) / 2
        var sum: Float = 0
        for line in offsets[target]..<offsets[target + 1] {
          let square = (Float(line) + 0.5 - center) * (Float(line) + 0.5 - center)
          sum += 1 / (32 * square * square)
        }
        share[source * Self.capacity + target] = sum
      }
    }
  }

  /// Returns the bits that leakage between the bands of a long block costs.
  func bits(_ psychoacoustics: Psychoacoustics, _ layout: BandLayout) -> Float {
    let count = layout.bandCount
    precondition(count <= bandCount && psychoacoustics.energy.count >= Self.capacity)
    return unsafe Self.bits(
      energy: psychoacoustics.energy, threshold: psychoacoustics.threshold, widths: layout.widths,
      share: share, count: count)
  }

  private static func bits(
    energy: UnsafePointer<Float>, threshold: UnsafePointer<Float>, widths: UnsafePointer<Float>,
    share: UnsafePointer<Float>, count: Int
  ) -> Float {
    var loudest: Float = 0
    for source in 0..<count { loudest = unsafe max(loudest, energy[source]) }
    return unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: capacity) { sums in
      unsafe sums.initialize(repeating: 0)
      guard let leakage = sums.baseAddress else { return 0 }
      for source in 0..<count where unsafe energy[source] > audibleShare * loudest {
        let row = unsafe share + source * capacity
        for target in stride(from: 0, to: count, by: 4) {
          let sum = unsafe leakage.lanes(target) + row.lanes(target) * energy[source]
          unsafe leakage.store(sum, target)
        }
      }
      var bits = Lanes.zero
      for target in stride(from: 0, to: count, by: 4) {
        let leakage = unsafe leakage.lanes(target)
        // Existing energy and noise below the threshold hide leakage.
        let rest = unsafe energy.lanes(target) - leakage
        let own = unsafe rest.replacing(with: 0, where: rest .< 0) + threshold.lanes(target) + 1
        let ratio = leakage / own
        let price = unsafe widths.lanes(target) * ElementaryFunctions.log2(ratio + 1) * 0.5
        for lane in 0..<min(4, count - target) where ratio[lane] > freeLeakage {
          bits[lane] += price[lane]
        }
      }
      return bits.total
    }
  }
}
