import AacornSignal

/// The indices of levels and coherences of a frame's envelopes.
///
/// Row 0 is the previous frame's last row, and row e + 1 belongs to envelope e; the last row is
/// spare.
struct StereoIndices: Sendable {
  private static let stride = StereoData.stride
  /// The row that no envelope uses.
  static let spareRow = StereoData.maxEnvelopes + 1
  /// The power added for each block, so that fainter audio counts as one source in the center.
  ///
  /// It is the power of a sine with an amplitude slightly below one 16-bit step.
  private static let powerFloor: Float = 4000
  /// The first of the twenty bands whose phases are inaudible, about 3.4 kHz.
  private static let firstPhaselessBand = 14
  /// The maximum index of coherence after an attack.
  ///
  /// A decoder's decorrelator blurs an attack, and removes most of it if it is short.
  private static let maxCoherenceIndexAtAttack: Int8 = 4

  /// Level differences.
  private(set) var levels = [Int8](repeating: 0, count: (spareRow + 1) * stride)
  private(set) var coherences = [Int8](repeating: 0, count: (spareRow + 1) * stride)
  /// The sums over blocks, laid out like a block of `StereoEnergies`.
  private var sums = [Float](repeating: 0, count: StereoEnergies.stride)

  /// Measures the indices of a row from a range of blocks, counted from slot 0.
  ///
  /// `hasAttack` states whether the first block has an attack.
  mutating func measure(
    row: Int, of energies: StereoEnergies, in blocks: Range<Int>, header: StereoHeader,
    hasAttack: Bool = false
  ) {
    precondition(!blocks.isEmpty && blocks.lowerBound >= -StereoEnergies.pastBlockCount)
    precondition(blocks.upperBound <= StereoEnergies.count - StereoEnergies.pastBlockCount)
    precondition(header.levelResolution == header.coherenceResolution)
    let first = blocks.lowerBound + StereoEnergies.pastBlockCount
    unsafe Self.add(energies.sums, from: first, count: blocks.count, to: &sums)
    let count = header.levelResolution.bandCount
    if count == 10 { joinPairs() }
    let borders =
      header.hasFineLevels ? StereoTables.fineLevelBorders : StereoTables.levelBorders
    let powerFloor = Self.powerFloor * Float(blocks.count)
    let firstPhaselessBand = Self.firstPhaselessBand * count / StereoEnergies.bands
    let maxCoherenceIndex = hasAttack ? Self.maxCoherenceIndexAtAttack : .max
    for band in Swift.stride(from: 0, to: count, by: 4) {
      let (level, coherence) = unsafe Self.quantize(
        sums, band: band, powerFloor: powerFloor, borders: borders,
        firstPhaselessBand: firstPhaselessBand)
      for lane in 0..<min(4, count - band) {
        levels[row * Self.stride + band + lane] = Int8(truncatingIfNeeded: level[lane])
        let index = Int8(truncatingIfNeeded: coherence[lane])
        coherences[row * Self.stride + band + lane] = min(index, maxCoherenceIndex)
      }
    }
  }

  private static func add(
    _ blocks: UnsafePointer<Float>, from first: Int, count: Int,
    to sums: UnsafeMutablePointer<Float>
  ) {
    let size = StereoEnergies.stride
    for at in Swift.stride(from: 0, to: size, by: 4) {
      var sum = Lanes.zero
      for block in first..<first &+ count { unsafe sum += blocks.lanes(block &* size &+ at) }
      unsafe sums.store(sum, at)
    }
  }

  /// Joins twenty bands to ten, each of two.
  private mutating func joinPairs() {
    for quantity in 0..<4 {
      let start = quantity * StereoEnergies.bands
      for band in 0..<10 {
        sums[start + band] = sums[start + 2 * band] + sums[start + 2 * band + 1]
      }
    }
  }

  private static func quantize(
    _ sums: UnsafePointer<Float>, band: Int, powerFloor: Float, borders: [Float],
    firstPhaselessBand: Int
  ) -> (level: SIMD4<Int32>, coherence: SIMD4<Int32>) {
    let bands = StereoEnergies.bands
    let left = unsafe sums.lanes(band) + powerFloor
    let right = unsafe sums.lanes(bands &+ band) + powerFloor
    let real = unsafe sums.lanes(2 &* bands &+ band) + powerFloor
    let imaginary = unsafe sums.lanes(3 &* bands &+ band)
    // In bands with inaudible phases, a difference of up to a quarter of a turn counts as in phase.
    // Beyond it, the value falls to the value of opposite channels at half a turn.
    let size = (real * real + imaginary * imaginary).squareRoot()
    let opposed = real.lowered(to: .zero)
    let phaselessReal = size - (opposed * opposed + opposed * opposed) / (size + 1)
    let bandIndices = SIMD4<Int32>(0, 1, 2, 3) &+ Int32(band)
    let common = real.replacing(
      with: phaselessReal, where: bandIndices .>= Int32(firstPhaselessBand))
    let difference = ElementaryFunctions.log2(left) - ElementaryFunctions.log2(right)
    // A factor of two in power is 10·log₁₀ 2 dB.
    let decibels = difference * 3.0103
    let correlation = common / (left * right).squareRoot()
    var level = SIMD4<Int32>.zero
    for border in borders {
      let isAbove = decibels.magnitude .> Lanes(repeating: border)
      level.replace(with: level &+ 1, where: isAbove)
    }
    level.replace(with: 0 &- level, where: decibels .< Lanes.zero)
    var coherence = SIMD4<Int32>.zero
    for border in StereoTables.coherenceBorders {
      let isBelow = correlation .< Lanes(repeating: border)
      coherence.replace(with: coherence &+ 1, where: isBelow)
    }
    return (level, coherence)
  }

  mutating func copy(_ row: Int, to other: Int) {
    for band in 0..<Self.stride {
      levels[other * Self.stride + band] = levels[row * Self.stride + band]
      coherences[other * Self.stride + band] = coherences[row * Self.stride + band]
    }
  }

  /// Returns the distance of a row from an interpolated row, `part` of the way between two others.
  ///
  /// Steps of levels have weight 1, steps of coherences ½.
  func distance(_ row: Int, from first: Int, to last: Int, part: Float, bandCount: Int) -> Float {
    var sum: Float = 0
    for band in 0..<bandCount {
      let (a, b) = (first * Self.stride + band, last * Self.stride + band)
      let at = row * Self.stride + band
      let level = Self.between(levels[a], levels[b], at: part)
      let coherence = Self.between(coherences[a], coherences[b], at: part)
      sum += abs(Float(levels[at]) - level) + 0.5 * abs(Float(coherences[at]) - coherence)
    }
    return sum
  }

  private static func between(_ a: Int8, _ b: Int8, at part: Float) -> Float {
    Float(a) + (Float(b) - Float(a)) * part
  }
}
