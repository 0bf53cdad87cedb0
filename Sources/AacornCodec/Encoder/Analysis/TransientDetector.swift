import AacornSignal

/// Detects attacks and sudden ends: moments at which a channel becomes much louder than just
/// before, or nearly silent.
///
/// A frame's long window smears the coder's noise over 2048 samples; where an attack lies inside
/// it, the noise before the attack is audible (pre-echo), and short windows are the cure. Hearing
/// recovers so slowly that noise after a sound is mostly masked, but not where the sound stops
/// within two milliseconds: there the noise continues for up to thirty.
///
/// The detector works on the first difference of the samples, which weights the spectrum toward the
/// high frequencies, where attacks stand out, in sub-blocks of 64 samples. Sub-blocks 2j and 2j+1
/// coincide with the center of short window j.
struct TransientDetector: SegmentStage {
  /// Sub-blocks per frame.
  static let blockCount = 16
  private static let blockLength = 64

  /// Energies of the sub-blocks of the last two frames analyzed.
  private(set) var energies = [Float](repeating: 0, count: 2 * blockCount)
  /// The results for the frame analyzed last, and for the one before it.
  private(set) var next = Result()
  private(set) var current = Result()

  /// The result for one frame.
  struct Result: Sendable {
    /// Whether there is an attack or a sudden end.
    var isAbrupt = false
    /// Largest sub-block energy over the mean: 1 for a steady signal, 16 for a click.
    var crest: Float = 1
  }

  /// The result for one frame comes from its energies and those of the frame before; of results, two
  /// are kept.
  static var lookBack: Int { 2 }

  /// Keeps what it has: at the third frame nothing is left of those before.
  mutating func begin(atFrame index: Int) {}

  /// Analyzes 1024 samples from `start`; the sample before them is read as well.
  mutating func analyze(_ samples: [Float], from start: Int) {
    precondition(start >= 1 && samples.count >= start + 1024)
    unsafe samples.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      for block in 0..<Self.blockCount {
        energies[block] = energies[block + Self.blockCount]
        energies[block + Self.blockCount] = unsafe Self.differenceEnergy(
          base + start + block * Self.blockLength)
      }
    }
    current = next
    next = decide()
  }

  /// Energy in each short window of the frame before the one analyzed last.
  ///
  /// A window extends half a center beyond its own on each side, with slopes that let little
  /// through.
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

  /// Whether a sub-block stands out from the mean of the recent ones and from the loudest of the
  /// last twelve milliseconds; voice pulses come at shorter intervals.
  private func isAttack(_ block: Int) -> Bool {
    let energy = energies[block]
    guard energy > Self.floor, energy > Self.attackRatio * recentMean(before: block) else {
      return false
    }
    for before in block - 8..<block where energy <= 2 * energies[before] { return false }
    return true
  }

  /// The weighted mean of the sixteen preceding sub-blocks, each with 0.8 of the weight of the
  /// next.
  private func recentMean(before block: Int) -> Float {
    var mean: Float = 0
    for before in block - Self.blockCount..<block { mean = mean * 0.8 + energies[before] * 0.2 }
    return mean
  }

  /// Whether an audible signal has stopped within the last two sub-blocks.
  private func isEnd(_ block: Int) -> Bool {
    let before = max(energies[block - 1], energies[block - 2])
    return before > 0.1 * Self.floor && before > Self.endRatio * energies[block]
  }

  /// How many times the energy of the recent past an attack must have.
  private static let attackRatio: Float = 8
  /// How many times the energy of what is left a signal must have had.
  private static let endRatio: Float = 100
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
