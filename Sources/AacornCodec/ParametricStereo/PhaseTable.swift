/// Phases in eighths of a turn, smoothed over envelopes (ISO/IEC 14496-3, 8.6.4.6.3).
///
/// The weights are 1 for the newest phase, ½ for the middle one and ¼ for the oldest.
struct PhaseTable: Sendable {
  /// The cosine and sine at 2 · (64 · oldest + 8 · middle + newest).
  private var values: [Float] = []

  init() {
    let root = Float(0.5).squareRoot()
    let cosines: [Float] = [1, root, 0, -root, -1, -root, 0, root]
    values.reserveCapacity(1024)
    for oldest in 0..<8 {
      for middle in 0..<8 {
        for newest in 0..<8 {
          let re = 0.25 * cosines[oldest] + 0.5 * cosines[middle] + cosines[newest]
          let im =
            0.25 * cosines[(oldest + 6) & 7] + 0.5 * cosines[(middle + 6) & 7]
            + cosines[(newest + 6) & 7]
          let scale = 1 / (re * re + im * im).squareRoot()
          values.append(re * scale)
          values.append(im * scale)
        }
      }
    }
  }

  /// Returns the cosine and sine for three phases, the newest in the lowest three bits.
  func phase(_ history: Int) -> (cos: Float, sin: Float) {
    (values[2 * history], values[2 * history + 1])
  }
}
