import AacornSignal

/// Mixes two channels to one without canceling components of opposite phase.
///
///     m = wL·L + wR·R,   |m|² = (|L|² + |R|²) / 2 in each band
///
/// The weights are equal and real as long as the channels do not cancel each other. With growing
/// opposition they rotate one channel against the other, the weaker one more than the louder one.
/// They are set at nodes, every four slots, each from the sixteen slots around it. Between nodes
/// they are interpolated linearly.
///
/// Weight q of band b at node n is at (4 · n + q) · 20 + b: real and imaginary parts of wL and wR.
struct StereoDownmix: Sendable {
  /// The slot of the first node; the last node is at the end of the slots that can be mixed.
  static let firstSlot = 8
  /// The number of blocks of four slots between the first node and the last one.
  static let blocks = 8

  private static let bands = StereoEnergies.bands
  private static let stride = StereoEnergies.stride
  private var nodes = [Float](repeating: 0, count: (blocks + 1) * stride)
  /// The mix of the lowest groups of lanes (see `HybridLayout`).
  private var low = HybridFrame()

  mutating func weigh(_ energies: StereoEnergies) {
    precondition(energies.sums.count >= (Self.blocks + 6) * Self.stride)
    unsafe Self.weigh(energies.sums, &nodes)
  }

  private static func weigh(
    _ sums: UnsafePointer<Float>, _ nodes: UnsafeMutablePointer<Float>
  ) {
    for node in 0...blocks {
      // The node is between the second and the third of these four blocks.
      let first = unsafe sums + (node &+ StereoEnergies.pastBlockCount) &* stride
      for band in Swift.stride(from: 0, to: bands, by: 4) {
        let weights = unsafe Self.weights(
          window(first, band), window(first, bands &+ band),
          real: window(first, 2 &* bands &+ band), imaginary: window(first, 3 &* bands &+ band))
        let at = node &* stride &+ band
        unsafe nodes.store(weights.left, at)
        unsafe nodes.store(weights.leftIm, at &+ bands)
        unsafe nodes.store(weights.right, at &+ 2 &* bands)
        unsafe nodes.store(weights.rightIm, at &+ 3 &* bands)
      }
    }
  }

  /// Returns a quantity over four blocks, the middle ones with double weight.
  @inline(__always)
  private static func window(_ sums: UnsafePointer<Float>, _ at: Int) -> Lanes {
    let outer = unsafe sums.lanes(at) + sums.lanes(at &+ 3 &* stride)
    let inner = unsafe sums.lanes(at &+ stride) + sums.lanes(at &+ 2 &* stride)
    return outer + (inner + inner)
  }

  /// Returns the weights of four bands with given powers and real and imaginary parts of L·R*.
  private static func weights(
    _ left: Lanes, _ right: Lanes, real: Lanes, imaginary: Lanes
  ) -> (left: Lanes, leftIm: Lanes, right: Lanes, rightIm: Lanes) {
    let one = Lanes(repeating: 1)
    // Silence has the weights of two equal channels.
    let sum = left + right + one
    let scaleOfBoth = one / (left * right + one).squareRoot()
    let correlation = real * scaleOfBoth
    // Below a correlation of −0.25, right is rotated against left; at −0.85 by almost half a turn.
    let rise = ((correlation + 0.25) * -1.6666667).clamped(from: 0, to: 1)
    let slope = Lanes(repeating: 3) - (rise + rise)
    let part = (rise * rise) * slope * 0.9
    let cosine = one - (part + part)
    let half = (part * (one - part)).squareRoot()
    // The direction of the rotation: 1 down to −0.35 in the imaginary part of the correlation, −1
    // from −0.75 on. The limits are not around 0, since in short noise this part is often slightly
    // positive or negative by chance.
    let side = (imaginary * scaleOfBoth * 5 + 2.75).clamped(from: -1, to: 1)
    let sine = (half + half) * side
    // The power of the sum; the gain is at most four times the gain of equal channels.
    let common = cosine * real + sine * imaginary
    let size = cosine * cosine + sine * sine
    let joint = (left + right * size + 2) + (common + common)
    let gain = (sum * 0.5 / joint.raised(to: sum * 0.125)).squareRoot()
    // The louder channel keeps its phase.
    let (x, y) = (left + right * cosine + one, right * sine)
    let scale = gain / (x * x + y * y).squareRoot()
    let (leftRe, leftIm) = (x * scale, Lanes.zero - y * scale)
    return (
      leftRe, leftIm, cosine * leftRe - sine * leftIm, sine * leftRe + cosine * leftIm
    )
  }

  /// Mixes slots 8...39.
  ///
  /// Slot 8 is in row 0 of the lowest groups of lanes, and in row `row` of the QMF bands and of the
  /// output.
  mutating func mix(
    _ lows: StereoPair, _ high: StereoPair, row: Int, layout: HybridLayout,
    into real: inout [Float], imaginary: inout [Float]
  ) {
    let slots = StereoEnergies.slots * Self.blocks
    let end = row + slots
    precondition(layout.bandCount == Self.bands && layout.firstQMFBand == 4 && row >= 0)
    precondition(
      lows.hasCapacity(for: slots * HybridFrame.stride) && high.hasCapacity(for: end * 64))
    precondition(real.count >= end * 64 && imaginary.count >= end * 64)
    unsafe lows.withPointers(step: HybridFrame.stride) { pair in
      unsafe Self.mixLow(
        pair, layout, nodes: nodes, real: &low.real, imaginary: &low.imaginary)
    }
    HybridSynthesis.join(low.real, slotCount: slots, layout, into: &real, at: row)
    HybridSynthesis.join(low.imaginary, slotCount: slots, layout, into: &imaginary, at: row)
    unsafe high.withPointers(from: row * 64, step: 64) { pair in
      unsafe Self.mixHigh(
        pair, layout, nodes: nodes, start: row * 64, real: &real, imaginary: &imaginary)
    }
  }

  private static func mixLow(
    _ pair: StereoPair.Pointers, _ layout: HybridLayout, nodes: UnsafePointer<Float>,
    real: UnsafeMutablePointer<Float>, imaginary: UnsafeMutablePointer<Float>
  ) {
    let out = HybridFrame.history * HybridFrame.stride
    for group in 0..<layout.lowGroups {
      unsafe mix(
        pair, at: 4 &* group, bands: layout.bands(of: group),
        directions: layout.directions(of: group), nodes: nodes, real: real + out,
        imaginary: imaginary + out)
    }
  }

  /// Mixes the remaining QMF bands.
  private static func mixHigh(
    _ pair: StereoPair.Pointers, _ layout: HybridLayout, nodes: UnsafePointer<Float>, start: Int,
    real: UnsafeMutablePointer<Float>, imaginary: UnsafeMutablePointer<Float>
  ) {
    let directions = Lanes(repeating: 1)
    for group in layout.lowGroups..<layout.groups {
      let lane = 4 &* (group &- layout.lowGroups &+ 1)
      unsafe mix(
        pair, at: lane, bands: layout.bands(of: group), directions: directions, nodes: nodes,
        real: real + start, imaginary: imaginary + start)
    }
  }

  @inline(__always)
  private static func node(
    _ node: Int, bands: SIMD4<UInt8>, directions: Lanes, nodes: UnsafePointer<Float>
  ) -> (left: Lanes, leftIm: Lanes, right: Lanes, rightIm: Lanes) {
    @inline(__always)
    func gather(_ quantity: Int) -> Lanes {
      unsafe (nodes + (node &* stride &+ quantity &* StereoEnergies.bands)).lanes(ofBands: bands)
    }
    return (gather(0), gather(1) * directions, gather(2), gather(3) * directions)
  }

  private static func mix(
    _ pair: StereoPair.Pointers, at lane: Int, bands: SIMD4<UInt8>, directions: Lanes,
    nodes: UnsafePointer<Float>, real: UnsafeMutablePointer<Float>,
    imaginary: UnsafeMutablePointer<Float>
  ) {
    var from = unsafe node(0, bands: bands, directions: directions, nodes: nodes)
    var at = lane
    for block in 0..<blocks {
      let to = unsafe node(block &+ 1, bands: bands, directions: directions, nodes: nodes)
      let (a, b) = ((to.left - from.left) * 0.25, (to.leftIm - from.leftIm) * 0.25)
      let (c, d) = ((to.right - from.right) * 0.25, (to.rightIm - from.rightIm) * 0.25)
      // A slot uses the weights at its middle.
      var (wa, wb) = (from.left + a * 0.5, from.leftIm + b * 0.5)
      var (wc, wd) = (from.right + c * 0.5, from.rightIm + d * 0.5)
      for _ in 0..<StereoEnergies.slots {
        let (l, li) = unsafe (pair.left.lanes(at), pair.leftIm.lanes(at))
        let (r, ri) = unsafe (pair.right.lanes(at), pair.rightIm.lanes(at))
        unsafe real.store((wa * l - wb * li) + (wc * r - wd * ri), at)
        unsafe imaginary.store((wa * li + wb * l) + (wc * ri + wd * r), at)
        wa += a
        wb += b
        wc += c
        wd += d
        unsafe at &+= pair.step
      }
      from = to
    }
  }
}
