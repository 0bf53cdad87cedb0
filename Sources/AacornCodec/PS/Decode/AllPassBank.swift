import AacornSignal

/// The all-pass filters of the decorrelator, four sub-subbands at a time.
///
/// ISO/IEC 14496-3, 8.6.4.5.2.
///
///     H(z) = z⁻²·φ · Π (Q_m·z^−d_m − a_m·g) / (1 − a_m·g·Q_m·z^−d_m),  d = 3, 4, 5
///
/// where Q and φ are rotations that represent fractions of a slot. A sub-subband that is only
/// delayed has g = 0 and no rotations in its lane, which results in the required delay of 2 + 3 + 4
/// + 5 = 14 slots.
struct AllPassBank: Sendable {
  /// The number of coefficients of a group, each for four lanes.
  ///
  /// φ, Q₀, Q₁ and Q₂ (each real, imaginary), then a_m·g.
  private static let coefficientStride = 11 * 4
  /// The number of state values of a group: 3, 4 and 5 slots of its links, real and imaginary parts
  /// of four lanes.
  private static let stateStride = 12 * 8

  private let coefficients: [Float]
  private var state: [Float]
  /// The delay lines of the three links of the group in progress: the stored slots, then the
  /// frame's slots.
  private var links = [Float](repeating: 0, count: (3 * 32 + 12) * 8)

  init(_ layout: HybridLayout) {
    let thirtyFour = layout.bandCount == 34
    let (cutoff, end) = thirtyFour ? (32, 50) : (10, 30)
    let centers = thirtyFour ? StereoTables.centersOfThirtyFour : StereoTables.centersOfTwenty
    let unit: Double = thirtyFour ? 24 : 8
    let offset: Double = thirtyFour ? 26.5 : 6.5
    let fractions: [Float] = [0.39, 0.43, 0.75, 0.347]
    let feedback: [Float] = [0.65143905753106, 0.56471812200776, 0.48954165955695]
    var table = [Float](repeating: 0, count: layout.allPassGroups * Self.coefficientStride)
    for lane in 0..<4 * layout.allPassGroups {
      let subband = Int(layout.subbands[lane])
      let isFiltered = subband < end
      let center =
        !isFiltered
        ? 0 : subband < centers.count ? Double(centers[subband]) / unit : Double(subband) - offset
      let start = lane / 4 * Self.coefficientStride + lane % 4
      for (index, fraction) in fractions.enumerated() {
        let rotation = Self.rotation(-Double(fraction) * center)
        table[start + 8 * index] = rotation.cos
        table[start + 8 * index + 4] = rotation.sin
      }
      let slope = 1 - 0.05 * Float(subband - cutoff)
      let gain = isFiltered ? min(max(slope, 0), 1) : 0
      for link in 0..<3 { table[start + 32 + 4 * link] = feedback[link] * gain }
    }
    coefficients = table
    state = [Float](repeating: 0, count: layout.allPassGroups * Self.stateStride)
  }

  /// Returns the cosine and sine of an angle in half turns.
  private static func rotation(_ angle: Double) -> (cos: Float, sin: Float) {
    var angle = angle
    while angle < 0 { angle += 2 }
    while angle > 2 { angle -= 2 }
    let (sine, cosine) = ElementaryFunctions.sinCosPi(angle)
    return (Float(cosine), Float(sine))
  }

  mutating func reset() {
    for index in state.indices { state[index] = 0 }
  }

  /// The memory of a group's input and decorrelated output, and the gains of its lanes.
  @unsafe
  struct Signal {
    /// Slot 0, and the distance between slots.
    var real, imaginary: UnsafePointer<Float>
    var step: Int
    /// The slot two slots before slot 0; the next slot is `step` values further.
    var lastReal, lastImaginary: UnsafePointer<Float>
    /// The output of slot 0.
    var outReal, outImaginary: UnsafeMutablePointer<Float>
    var outStep: Int
    /// The gains of slot 0, and the bands of the lanes.
    var gains: UnsafePointer<Float>
    var bands: SIMD4<UInt8>
  }

  /// The coefficients of a group, and the delay lines of its links.
  @unsafe
  private struct Group {
    let coefficients: UnsafePointer<Float>
    let a, b, d: UnsafeMutablePointer<Float>
  }

  mutating func run(_ group: Int, slotCount: Int, _ signal: Signal) {
    precondition(slotCount >= 5 && slotCount <= 32)
    precondition(group >= 0 && (group + 1) * Self.stateStride <= state.count)
    unsafe Self.run(
      coefficients, from: group * Self.coefficientStride, state: &state,
      from: group * Self.stateStride, links: &links, slotCount: slotCount, signal: signal)
  }

  private static func run(
    _ coefficients: UnsafePointer<Float>, from first: Int, state: UnsafeMutablePointer<Float>,
    from kept: Int, links: UnsafeMutablePointer<Float>, slotCount: Int, signal: Signal
  ) {
    let state = unsafe state + kept
    let (a, b) = unsafe (links, links + 35 * 8)
    let d = unsafe b + 36 * 8
    let group = unsafe Group(coefficients: coefficients + first, a: a, b: b, d: d)
    unsafe a.update(from: state, count: 24)
    unsafe b.update(from: state + 24, count: 32)
    unsafe d.update(from: state + 56, count: 40)

    let before = unsafe (signal.lastReal, signal.lastImaginary)
    unsafe filter(group, slots: 0..<2, real: before.0, imaginary: before.1, into: signal)
    let back = unsafe 2 &* signal.step
    unsafe filter(
      group, slots: 2..<slotCount, real: signal.real - back, imaginary: signal.imaginary - back,
      into: signal)

    let end = 8 &* slotCount
    for lane in stride(from: 0, to: 24, by: 4) {
      unsafe state.store((a + end).lanes(lane).flushingTinyValues, lane)
    }
    for lane in stride(from: 0, to: 32, by: 4) {
      unsafe state.store((b + end).lanes(lane).flushingTinyValues, 24 &+ lane)
    }
    for lane in stride(from: 0, to: 40, by: 4) {
      unsafe state.store((d + end).lanes(lane).flushingTinyValues, 56 &+ lane)
    }
  }

  /// Filters slots of a group; `real` and `imaginary` are delayed by two slots.
  @inline(__always)
  private static func filter(
    _ group: Group, slots: Range<Int>, real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>,
    into signal: Signal
  ) {
    let (c, a) = unsafe (group.coefficients, group.a)
    let (b, d) = unsafe (group.b, group.d)
    let bands = unsafe signal.bands
    let (step, outStep) = unsafe (signal.step, signal.outStep)
    for slot in slots {
      let at = slot &* step
      let (re, im) = unsafe (real.lanes(at), imaginary.lanes(at))
      let (c0, s0) = unsafe (c.lanes(0), c.lanes(4))
      var x = re * c0 - im * s0
      var y = re * s0 + im * c0
      unsafe link(
        &x, &y, cosine: c.lanes(8), sine: c.lanes(12), feedback: c.lanes(32), line: a + 8 &* slot,
        at: 24)
      unsafe link(
        &x, &y, cosine: c.lanes(16), sine: c.lanes(20), feedback: c.lanes(36), line: b + 8 &* slot,
        at: 32)
      unsafe link(
        &x, &y, cosine: c.lanes(24), sine: c.lanes(28), feedback: c.lanes(40), line: d + 8 &* slot,
        at: 40)
      let gain = unsafe (signal.gains + slot &* TransientReducer.stride).lanes(ofBands: bands)
      unsafe signal.outReal.store(x * gain, slot &* outStep)
      unsafe signal.outImaginary.store(y * gain, slot &* outStep)
    }
  }

  /// Processes one slot of a link, whose delay line starts with the oldest slot and ends at `new`.
  @inline(__always)
  private static func link(
    _ x: inout Lanes, _ y: inout Lanes, cosine: Lanes, sine: Lanes, feedback: Lanes,
    line: UnsafeMutablePointer<Float>, at new: Int
  ) {
    let (re, im) = unsafe (line.lanes(0), line.lanes(4))
    let outX = re * cosine - im * sine - feedback * x
    let outY = re * sine + im * cosine - feedback * y
    unsafe line.store(x + feedback * outX, new)
    unsafe line.store(y + feedback * outY, new &+ 4)
    x = outX
    y = outY
  }
}
