/// Looks for attacks: moments at which a channel grows much louder than it was just before.
///
/// A frame's long window smears the coder's noise over 2048 samples; where an attack sits inside it
/// the noise before the attack is heard (pre-echo), and short windows are the cure.
///
/// The detector works on the first difference of the samples, which weighs the spectrum towards the
/// high frequencies where attacks stand out, in sub-blocks of 64 samples. Sub-blocks 2j and 2j+1
/// coincide with the centre of short window j.
struct TransientDetector: Sendable {
  /// Sub-blocks a frame.
  static let blockCount = 16
  private static let blockLength = 64

  /// Energies of the sub-blocks of the frame looked at last.
  private(set) var energies = [Float](repeating: 0, count: blockCount)
  private var average: Float = 0
  /// What was found in the frame looked at last, and in the one before it.
  private(set) var next = Result()
  private(set) var current = Result()

  /// What the detector found in one frame.
  struct Result: Sendable {
    /// The short window in which the attack sits, 0…7, or nil.
    var attackWindow: Int?
    /// Largest sub-block energy over the mean: 1 for a steady sound, 16 for a click.
    var crest: Float = 1
    /// Energy of the whole frame, for weighing channels against each other.
    var energy: Float = 0
  }

  /// Looks at 1024 samples from `start`; the sample before them is read as well.
  mutating func analyse(_ samples: [Float], from start: Int) {
    precondition(start >= 1 && samples.count >= start + 1024)
    unsafe samples.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      for block in 0..<Self.blockCount {
        energies[block] = unsafe Self.differenceEnergy(base + start + block * Self.blockLength)
      }
    }
    current = next
    next = decide()
  }

  private mutating func decide() -> Result {
    var result = Result()
    var total: Float = 0
    var peak: Float = 0
    for block in 0..<Self.blockCount {
      let energy = energies[block]
      total += energy
      peak = max(peak, energy)
    }
    result.energy = total
    result.crest = total > 0 ? peak * Float(Self.blockCount) / total : 1
    // Two smoothed levels of the past: an attack must stand out from the recent sub-blocks' mean
    // and be loud enough for its pre-echo to be heard at all.
    for block in 0..<Self.blockCount {
      let energy = energies[block]
      if result.attackWindow == nil, energy > Self.floor, energy > Self.ratio * average {
        result.attackWindow = block / 2
      }
      average = average * 0.8 + energy * 0.2
    }
    return result
  }

  /// How many times louder than the recent past a sub-block must be.
  private static let ratio: Float = 10
  /// The energy of a sub-block below which no pre-echo is heard (16-bit scale).
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
