import AacornSignal

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
      psychoacoustics.energy, psychoacoustics.threshold, layout.widths, share, count)
  }

  private static func bits(
    _ energy: UnsafePointer<Float>, _ threshold: UnsafePointer<Float>,
    _ widths: UnsafePointer<Float>, _ share: UnsafePointer<Float>, _ count: Int
  ) -> Float {
    var bits = Lanes.zero
    var loudest: Float = 0
    for source in 0..<count { loudest = unsafe max(loudest, energy[source]) }
    for target in stride(from: 0, to: count, by: 4) {
      var leakage = Lanes.zero
      // Only bands within 24 dB of the loudest one leak audibly.
      for source in 0..<count where unsafe energy[source] > 0.004 * loudest {
        leakage += unsafe share.lanes(source * capacity + target) * energy[source]
      }
      // Existing energy and noise below the threshold hide leakage.
      let rest = unsafe energy.lanes(target) - leakage
      let own = unsafe rest.replacing(with: 0, where: rest .< 0) + threshold.lanes(target) + 1
      let ratio = leakage / own
      let price = unsafe widths.lanes(target) * ElementaryFunctions.log2(ratio + 1) * 0.5
      for lane in 0..<min(4, count - target) where ratio[lane] > 0.1 { bits[lane] += price[lane] }
    }
    return bits.total
  }
}
