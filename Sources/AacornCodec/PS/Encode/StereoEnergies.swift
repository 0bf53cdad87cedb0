import AacornSignal

/// The powers and the cross products of two channels, in twenty bands of blocks of four slots.
///
/// The blocks cover slots −8 to 47 of a frame. Quantity q of band b in block n is at (4 · (n + 2) +
/// q) · 20 + b. The quantities are the power of left, the power of right, and the real and the
/// imaginary part of the sum of left times the conjugate of right.
struct StereoEnergies: Sendable {
  /// Slots per block.
  static let slots = 4
  /// The number of blocks before the frame, of blocks that every frame adds, and of all blocks.
  static let pastBlockCount = 2
  static let addedBlockCount = 8
  static let count = 14
  /// The number of bands, which is the distance between quantities.
  static let bands = 20
  /// The distance from one block to the next.
  static let stride = 4 * bands

  /// The quantities of all blocks and bands, at the indices above.
  private(set) var sums = [Float](repeating: 0, count: count * stride)
  /// The power of both channels in slots from −8 on, above the lowest four QMF bands.
  ///
  /// Attacks stand out in these bands.
  private(set) var powers = [Float](repeating: 0, count: count * slots)

  /// Advances by a frame: adds slots 16...47.
  ///
  /// Slot 16 is in row `lowRow` of the lowest groups of lanes, and in row `row` of the QMF bands.
  mutating func advance(
    _ low: StereoPair, lowRow: Int, _ high: StereoPair, row: Int, layout: HybridLayout
  ) {
    precondition(layout.bandCount == Self.bands && lowRow >= 0 && row >= 0)
    precondition(
      low.hasCapacity(for: (lowRow + 32) * HybridFrame.stride)
        && high.hasCapacity(for: (row + 32) * 64))
    let kept = Self.count - Self.addedBlockCount
    sums.moveToFront(from: Self.addedBlockCount * Self.stride, count: kept * Self.stride)
    powers.moveToFront(from: Self.addedBlockCount * Self.slots, count: kept * Self.slots)
    for index in kept * Self.stride..<sums.count { sums[index] = 0 }
    unsafe low.withPointers(
      from: lowRow * HybridFrame.stride, step: HybridFrame.stride
    ) { pair in
      unsafe Self.add(
        pair, groups: 0..<layout.lowGroups, layout: layout, sums: &sums, powers: &powers)
    }
    // Each call overwrites `powers`, so they include only the bands of the last call, above the
    // lowest four QMF bands.
    unsafe high.withPointers(from: row * 64 + layout.firstQMFBand, step: 64) { pair in
      unsafe Self.add(
        pair, groups: layout.lowGroups..<layout.groups, layout: layout, sums: &sums,
        powers: &powers)
    }
  }

  /// The sums of products of four lanes over one or more slots.
  private struct Products {
    var left = Lanes.zero
    var right = Lanes.zero
    var real = Lanes.zero
    var imaginary = Lanes.zero

    @inline(__always)
    static func + (a: Products, b: Products) -> Products {
      Products(
        left: a.left + b.left, right: a.right + b.right, real: a.real + b.real,
        imaginary: a.imaginary + b.imaginary)
    }
  }

  @inline(__always)
  private static func products(_ pair: StereoPair.Pointers, _ at: Int) -> Products {
    let (a, b) = unsafe (pair.left.lanes(at), pair.leftIm.lanes(at))
    let (c, d) = unsafe (pair.right.lanes(at), pair.rightIm.lanes(at))
    return Products(
      left: a * a + b * b, right: c * c + d * d, real: a * c + b * d, imaginary: b * c - a * d)
  }

  /// Adds the products of some groups to the new blocks, and stores their powers.
  private static func add(
    _ pair: StereoPair.Pointers, groups: Range<Int>, layout: HybridLayout,
    sums: UnsafeMutablePointer<Float>, powers: UnsafeMutablePointer<Float>
  ) {
    let step = unsafe pair.step
    for block in 0..<addedBlockCount {
      let row = unsafe sums + (count &- addedBlockCount &+ block) &* stride
      var uniform = Products()
      var (first, second) = (Lanes.zero, Lanes.zero)
      var (third, fourth) = (Lanes.zero, Lanes.zero)
      for group in groups {
        let at = slots &* block &* step &+ 4 &* (group &- groups.lowerBound)
        let a = unsafe products(pair, at)
        let b = unsafe products(pair, at &+ step)
        let c = unsafe products(pair, at &+ 2 &* step)
        let d = unsafe products(pair, at &+ 3 &* step)
        first += a.left + a.right
        second += b.left + b.right
        third += c.left + c.right
        fourth += d.left + d.right
        let sum = (a + b) + (c + d)
        if group >= layout.firstUniformGroup {
          uniform = uniform + sum
        } else {
          unsafe scatter(sum, of: group, layout: layout, to: row)
        }
      }
      let last = bands &- 1
      unsafe row[last] += uniform.left.total
      unsafe row[bands &+ last] += uniform.right.total
      unsafe row[2 &* bands &+ last] += uniform.real.total
      unsafe row[3 &* bands &+ last] += uniform.imaginary.total
      let slot = slots &* (count &- addedBlockCount &+ block)
      unsafe powers[slot] = first.total
      unsafe powers[slot &+ 1] = second.total
      unsafe powers[slot &+ 2] = third.total
      unsafe powers[slot &+ 3] = fourth.total
    }
  }

  /// Adds each lane to its band; an empty lane contains zeros.
  @inline(__always)
  private static func scatter(
    _ sum: Products, of group: Int, layout: HybridLayout, to row: UnsafeMutablePointer<Float>
  ) {
    let bandIndices = layout.bands(of: group)
    for lane in 0..<4 {
      let bandIndex = Int(bandIndices[lane])
      unsafe row[bandIndex] += sum.left[lane]
      unsafe row[bands &+ bandIndex] += sum.right[lane]
      unsafe row[2 &* bands &+ bandIndex] += sum.real[lane]
      // Phases at negative frequencies rotate in the opposite direction.
      let imaginary = sum.imaginary[lane] * layout.directions[4 &* group &+ lane]
      unsafe row[3 &* bands &+ bandIndex] += imaginary
    }
  }
}

/// The first attacks in a frame and soon after it.
struct StereoAttack {
  /// The slot of the first attack in the frame.
  private(set) var slot: Int?
  /// The block of the first attack after the frame; without one, the end of the blocks.
  private(set) var end = StereoEnergies.count - StereoEnergies.pastBlockCount

  /// The minimum ratio of an attack's power to the mean power of the last eight slots.
  private static let rise: Float = 8
  /// The power added to the mean, so that faint noise has no attacks: slightly more than the power
  /// of noise of half a 16-bit step.
  private static let meanPowerOffset: Float = 10_000

  /// Finds attacks in the powers of slots.
  init(_ energies: StereoEnergies) {
    let past = StereoEnergies.pastBlockCount * StereoEnergies.slots
    for index in past..<energies.powers.count {
      var sum: Float = 0
      for last in index - past..<index { sum += energies.powers[last] }
      let mean = sum / Float(past)
      if energies.powers[index] <= Self.rise * (mean + Self.meanPowerOffset) { continue }
      if index - past < 32 {
        if slot == nil { slot = index - past }
      } else {
        end = (index - past) / StereoEnergies.slots
        return
      }
    }
  }
}
