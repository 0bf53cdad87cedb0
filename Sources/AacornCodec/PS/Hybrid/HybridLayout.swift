import AacornSignal

/// The layout of sub-subbands in vectors of four lanes, for 20 or 34 bands.
///
/// ISO/IEC 14496-3, 8.6.4.3.
///
/// The lowest groups of lanes are the sub-subbands into which the filters split the first QMF
/// bands, and the QMF bands that fill up the last of these groups:
///
///     20 bands   0...3 | 4 5 q3 – | 6...9                34 bands   0...3 | … | 28...31 | q5 q6 q7 –
///
/// They are stored in a `HybridFrame`. The other groups are the QMF bands from 4 or 8, four at a
/// time, at their positions in a `QMFFrame`.
struct HybridLayout: Sendable {
  /// The number of parameter bands, 20 or 34.
  let bandCount: Int
  /// The number of groups in a `HybridFrame`.
  let lowGroups: Int
  /// The number of all groups.
  let groups: Int
  /// The number of bands, from the lowest, that may have phases.
  let phaseBands: Int
  /// The sub-subband in each lane; 255 means an unused lane.
  let subbands: [UInt8]
  /// The parameter band of each lane.
  let bands: [UInt8]
  /// The first group from which on all lanes belong to the last parameter band.
  let firstUniformGroup: Int
  /// −1 for each lane with a negative frequency, otherwise 1.
  let directions: [Float]

  /// The number of groups with all-pass filters, up to QMF band 22.
  ///
  /// The last group includes band 23, which is only delayed.
  var allPassGroups: Int { lowGroups + (24 - firstQMFBand) / 4 }
  /// The first QMF band that is not in a `HybridFrame`.
  var firstQMFBand: Int { 64 - 4 * (groups - lowGroups) }

  @inline(__always)
  func bands(of group: Int) -> SIMD4<UInt8> {
    let lane = 4 * group
    return SIMD4(bands[lane], bands[lane + 1], bands[lane + 2], bands[lane + 3])
  }

  @inline(__always)
  func directions(of group: Int) -> Lanes {
    let lane = 4 * group
    return Lanes(
      directions[lane], directions[lane + 1], directions[lane + 2], directions[lane + 3])
  }

  /// Returns the group of a QMF band that is not in a `HybridFrame`.
  func group(ofQMFBand band: Int) -> Int { lowGroups + (band - firstQMFBand) / 4 }

  /// Creates the layout for 34 bands, or for 20.
  init(hasThirtyFourBands: Bool) {
    bandCount = hasThirtyFourBands ? 34 : 20
    lowGroups = hasThirtyFourBands ? 9 : 3
    phaseBands = hasThirtyFourBands ? 17 : 11
    subbands = hasThirtyFourBands ? StereoTables.lanesOfThirtyFour : StereoTables.lanesOfTwenty
    groups = subbands.count / 4
    let table = hasThirtyFourBands ? StereoTables.bandsOfThirtyFour : StereoTables.bandsOfTwenty
    let negative: ClosedRange<UInt8> = hasThirtyFourBands ? 9...13 : 0...1
    var bands: [UInt8] = []
    var directions: [Float] = []
    var uniform = 0
    for lane in 0..<subbands.count {
      let subband = subbands[lane]
      // An empty lane has the band of its neighbor.
      let band = subband == 255 ? bands[lane - 1] : table[Int(subband)]
      bands.append(band)
      directions.append(negative.contains(subband) ? -1 : 1)
      if Int(band) < bandCount - 1 { uniform = lane / 4 + 1 }
    }
    self.bands = bands
    self.directions = directions
    firstUniformGroup = uniform
  }
}

extension UnsafePointer<Float> {
  /// Loads the values of four parameter bands.
  @inline(__always)
  func lanes(ofBands bands: SIMD4<UInt8>) -> Lanes {
    unsafe Lanes(
      self[Int(bands[0])], self[Int(bands[1])], self[Int(bands[2])], self[Int(bands[3])])
  }
}

/// Complex values of the lowest groups of lanes (see `HybridLayout`) over the slots of a frame.
///
/// Two slots of the previous frame precede it, so slot n of lane l is at (n + 2) · 36 + l.
struct HybridFrame: Sendable {
  var real: [Float]
  var imaginary: [Float]

  /// The distance from one slot to the next.
  static let stride = 36
  /// The number of slots of the previous frame.
  static let history = 2

  init() {
    real = [Float](repeating: 0, count: (32 + Self.history) * Self.stride)
    imaginary = real
  }

  /// Moves the last slots to the slots of the previous frame.
  mutating func advance(by slotCount: Int) {
    real.moveToFront(from: slotCount * Self.stride, count: Self.history * Self.stride)
    imaginary.moveToFront(from: slotCount * Self.stride, count: Self.history * Self.stride)
  }

  mutating func clear() {
    for index in real.indices {
      real[index] = 0
      imaginary[index] = 0
    }
  }
}
