import AacornSignal

/// The analysis filter bank of 32 bands for the core's samples (ISO/IEC 14496-3, 4.6.18.4.1).
///
///     z[n] = x[n]·c[2n], newest sample first; u[n] = Σ z[n + 64j], n < 64
///     W[k] = Σ u[n]·2·exp(iπ/64·(k + ½)(2n − ½)), k < 32
///
/// 2n − ½ is l + ½ of a DCT-IV with 64 inputs l; inputs with n > 32 fold back from the end:
///
///     input 0: u[0]   input 2j: −u[64−j]   input 2j − 1: u[j]
///     Re W[k] = 2·line k   Im W[k] = −2·line (63 − k)
struct QMFAnalysis: Sendable {
  /// The number of samples before a frame's samples; the first has no effect, but vectors include
  /// it.
  private static let history = 289

  private var samples: [Float]
  private var folded = [Float](repeating: 0, count: 8 * 64)
  private var transform = QMFTransform(scale: 2)
  /// The weights of `folded` for each of five blocks, and separate weights of its first value.
  private let window: [Float]
  private let firstWeights: [Float]

  init(frameLength: Int) {
    samples = [Float](repeating: 0, count: Self.history + frameLength)
    var weights = [Float](repeating: 0, count: 320)
    var first: [Float] = []
    for block in 0..<5 {
      first.append(SBRConstants.prototype[128 * block])
      for i in 1..<64 {
        let weight = SBRConstants.prototype[2 * (64 - i + 64 * block)]
        weights[64 * block + i] = i < 32 ? -weight : weight
      }
    }
    window = weights
    firstWeights = first
  }

  mutating func reset() {
    for i in samples.indices { samples[i] = 0 }
  }

  /// Computes `slotCount` rows of 32 bands, each from 32 samples, and stores them from row
  /// `firstRow` on.
  mutating func analyze(
    _ core: [Float], slotCount: Int, into real: inout [Float], _ imaginary: inout [Float],
    firstRow: Int
  ) {
    let count = 32 * slotCount
    precondition(core.count >= count && samples.count >= Self.history + count)
    precondition(real.count >= 32 * (firstRow + slotCount) && imaginary.count >= real.count)
    samples.replace(at: Self.history, by: core, count: count)
    var slot = 0
    while slot < slotCount {
      // The last group may have fewer than eight slots. Its other lanes contain old slots, which
      // are not stored again.
      let stored = min(QMFTransform.slots, slotCount - slot)
      unsafe Self.fold(
        samples, from: 32 * slot, slots: stored, window: window, firstWeights: firstWeights,
        into: &folded)
      unsafe Self.rotateInput(
        folded, cosines: transform.inputRotation.cosines, sines: transform.inputRotation.sines,
        real: &transform.real, imaginary: &transform.imaginary)
      transform.transform()
      unsafe transform.withResult { result in
        unsafe Self.rotateOutput(
          result, slots: stored, real: &real, imaginary: &imaginary, at: 32 * (firstRow + slot))
      }
      slot += stored
    }
    samples.moveToFront(from: count, count: Self.history)
  }

  /// Windows and folds slots of 32 samples in the order of the transform.
  ///
  /// The order is the real parts −u from n = 64 down to 33, then the imaginary parts u from 32 down
  /// to 1. Two slots at a time share the loads of the window.
  private static func fold(
    _ samples: UnsafePointer<Float>, from: Int, slots: Int, window: UnsafePointer<Float>,
    firstWeights: UnsafePointer<Float>, into folded: UnsafeMutablePointer<Float>
  ) {
    for slot in stride(from: 0, to: slots, by: 2) {
      // The newest sample is the last one before this position.
      let end = unsafe samples + (history &+ from &+ 32 &* (slot &+ 1))
      let out = unsafe folded + 64 &* slot
      var i = 0
      while i < 64 {
        var (first, second) = (Lanes.zero, Lanes.zero)
        var (oldest, weights) = unsafe (end + (i &- 65), window + i)
        for _ in 0..<5 {
          let weight = unsafe weights.lanes(0)
          unsafe first += oldest.lanes(0) * weight
          unsafe second += oldest.lanes(32) * weight
          unsafe oldest -= 64
          unsafe weights += 64
        }
        unsafe out.store(first, i)
        unsafe out.store(second, i &+ 64)
        i &+= 4
      }
      var (first, second): (Float, Float) = (0, 0)
      for block in 0..<5 {
        unsafe first += end[-1 &- 64 &* block] * firstWeights[block]
        unsafe second += end[31 &- 64 &* block] * firstWeights[block]
      }
      unsafe out[0] = first
      unsafe out[64] = second
    }
  }

  private static func rotateInput(
    _ folded: UnsafePointer<Float>, cosines: UnsafePointer<Float>,
    sines: UnsafePointer<Float>, real: UnsafeMutablePointer<Float>,
    imaginary: UnsafeMutablePointer<Float>
  ) {
    for half in 0..<2 {
      let block = unsafe folded + 256 &* half
      var n = 0
      while n < 32 {
        let re = unsafe LaneSquare(block, n, stride: 64).transposed
        let im = unsafe LaneSquare(block, 32 &+ n, stride: 64).transposed
        let index = 8 &* n &+ 4 &* half
        store(re.a, im.a, rotation: n, at: index)
        store(re.b, im.b, rotation: n &+ 1, at: index &+ 8)
        store(re.c, im.c, rotation: n &+ 2, at: index &+ 16)
        store(re.d, im.d, rotation: n &+ 3, at: index &+ 24)
        n &+= 4
      }
    }
    @inline(__always)
    func store(_ re: Lanes, _ im: Lanes, rotation n: Int, at index: Int) {
      let (c, s) = unsafe (cosines[n], sines[n])
      unsafe real.store(re * c - im * s, index)
      unsafe imaginary.store(re * s + im * c, index)
    }
  }

  /// Computes the bands: even ones are y[k], odd ones −i times the conjugate of y, from its end.
  private static func rotateOutput(
    _ result: QMFTransform.Result, slots: Int, real: UnsafeMutablePointer<Float>,
    imaginary: UnsafeMutablePointer<Float>, at offset: Int
  ) {
    @inline(__always)
    func value(_ k: Int, _ half: Int) -> (re: Lanes, im: Lanes) {
      let (c, s) = unsafe (result.cosines[k], result.sines[k])
      let re = unsafe result.real.lanes(8 &* k &+ 4 &* half)
      let im = unsafe result.imaginary.lanes(8 &* k &+ 4 &* half)
      return (re * c - im * s, re * s + im * c)
    }
    for half in 0..<2 {
      let rows = min(4, slots &- 4 &* half)
      if rows <= 0 { break }
      for quad in 0..<8 {
        let even = value(2 &* quad, half)
        let odd = value(31 &- 2 &* quad, half)
        let nextEven = value(2 &* quad &+ 1, half)
        let nextOdd = value(30 &- 2 &* quad, half)
        let zero = Lanes.zero
        let re = LaneSquare(even.re, zero - odd.im, nextEven.re, zero - nextOdd.im).transposed
        let im = LaneSquare(even.im, zero - odd.re, nextEven.im, zero - nextOdd.re).transposed
        let row = offset &+ 128 &* half &+ 4 &* quad
        if rows == 4 {
          unsafe re.store(real, row, stride: 32)
          unsafe im.store(imaginary, row, stride: 32)
        } else {
          // Frames of 960 samples end with six slots.
          unsafe real.store(re.a, row)
          unsafe imaginary.store(im.a, row)
          if rows > 1 {
            unsafe real.store(re.b, row &+ 32)
            unsafe imaginary.store(im.b, row &+ 32)
          }
          if rows > 2 {
            unsafe real.store(re.c, row &+ 64)
            unsafe imaginary.store(im.c, row &+ 64)
          }
        }
      }
    }
  }
}
