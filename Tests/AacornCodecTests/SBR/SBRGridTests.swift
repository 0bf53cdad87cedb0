import Testing

@testable import AacornCodec

/// Created and written grids, compared with all grids that can be read.
@Suite struct SBRGridTests {
  /// Returns every valid grid with these resolutions, and its size in bits.
  static func grids(resolutions: Int) -> [(grid: SBRGrid, bitCount: Int)] {
    var grids: [(grid: SBRGrid, bitCount: Int)] = []
    func add(_ fields: [(Int, Int)]) {
      var writer = BitWriter()
      for (value, count) in fields { writer.put(UInt32(value), count: count) }
      var bits = BitReader(writer.bytes)
      if let grid = SBRGrid(&bits, slotCount: 16) { grids.append((grid, writer.bitCount)) }
    }
    for exponent in 0...3 { add([(0, 2), (exponent, 2), (resolutions & 1, 1)]) }
    for (leading, trailing) in splits {
      let count = leading + trailing + 1
      let width = [1, 2, 2, 3, 3][count - 1]
      // The resolutions start with the first envelope, but with the last one in FIXVAR.
      let lastFirst = resolutions & (1 << count - 1)
      let firstFirst = (0..<count).reduce(0) { $0 << 1 | resolutions >> $1 & 1 }
      for distances in 0..<1 << (2 * (count - 1)) {
        for pointer in 0..<1 << width {
          let rest: [(Int, Int)] = [(distances, 2 * (count - 1)), (pointer, width)]
          for border in 0...3 {
            if leading == 0 {
              add([(1, 2), (border, 2), (trailing, 2)] + rest + [(lastFirst, count)])
            }
            if trailing == 0 {
              add([(2, 2), (border, 2), (leading, 2)] + rest + [(firstFirst, count)])
            }
            for last in 0...3 {
              let borders: [(Int, Int)] = [(border, 2), (last, 2), (leading, 2), (trailing, 2)]
              add([(3, 2)] + borders + rest + [(firstFirst, count)])
            }
          }
        }
      }
    }
    return grids
  }

  /// The valid numbers of distances from the start and from the end.
  private static let splits: [(Int, Int)] = (0...3).flatMap { leading in
    (0...min(3, 4 - leading)).map { (leading, $0) }
  }

  static func written(_ grid: SBRGrid) -> (grid: SBRGrid?, bitCount: Int) {
    var writer = BitWriter()
    grid.put(to: &writer, slotCount: 16)
    var bits = BitReader(writer.bytes)
    let read = SBRGrid(&bits, slotCount: 16)
    return (bits.position == writer.bitCount ? read : nil, writer.bitCount)
  }

  @Test(arguments: [0, 0b10110, 0b01011, 0b11111])
  func everyGridIsReadAsItWasWritten(resolutions: Int) {
    let grids = Self.grids(resolutions: resolutions)
    #expect(grids.count > 20_000)
    let wrong = grids.filter { item in
      let (grid, bitCount) = Self.written(item.grid)
      return grid != item.grid || bitCount != item.bitCount
    }
    #expect(wrong.isEmpty, "\(wrong.prefix(3))")
  }

  private struct Shape: Hashable {
    var borders: SIMD8<UInt8>
    var transient: Int
  }

  @Test(arguments: [0, 0b10110])
  func theCheapestGridOfAnyBordersIsFound(resolutions: Int) {
    var costs: [Shape: Int] = [:]
    for (grid, bitCount) in Self.grids(resolutions: resolutions) {
      // Decoders reject frames with an empty noise floor.
      let isFull = grid.start < grid.noiseBorder && grid.noiseBorder < grid.end
      guard grid.envelopeCount == 1 || isFull else { continue }
      // Evenly divided envelopes (FIXFIX) all have the resolution of the first one.
      guard Self.hasResolutions(grid, resolutions) else { continue }
      let shape = Shape(borders: grid.borders, transient: grid.transient)
      costs[shape] = min(bitCount, costs[shape] ?? .max)
    }
    var foundCount = 0
    var wrong: [Shape] = []
    for inner in 0..<1 << 18 where inner.nonzeroBitCount <= 4 {
      for (start, end) in Self.ends {
        var borders = SIMD8<UInt8>()
        borders[0] = UInt8(start)
        var count = 0
        for slot in 1...18 where inner >> (slot - 1) & 1 != 0 {
          count += 1
          borders[count] = UInt8(slot)
        }
        count += 1
        borders[count] = UInt8(end)
        for transient in -1...count {
          let shape = Shape(borders: borders, transient: transient)
          let grid = SBRGrid(
            borders: borders, envelopeCount: count, transient: transient,
            resolutions: UInt8(resolutions))
          if !Self.isValid(grid, shape, count, resolutions, cost: costs[shape]) {
            wrong.append(shape)
          }
          if grid != nil { foundCount += 1 }
        }
      }
    }
    #expect(wrong.isEmpty, "\(wrong.prefix(3))")
    #expect(foundCount == costs.count && foundCount > 10_000)
  }

  private static let ends: [(Int, Int)] = (0...3).flatMap { start in (16...19).map { (start, $0) } }

  /// Whether a grid matches the request, has the minimum size in bits, and is read unchanged.
  private static func isValid(
    _ grid: SBRGrid?, _ shape: Shape, _ count: Int, _ resolutions: Int, cost: Int?
  ) -> Bool {
    guard let grid else { return cost == nil }
    let (read, bitCount) = written(grid)
    return grid.borders == shape.borders && grid.envelopeCount == count
      && hasResolutions(grid, resolutions) && grid.transient == shape.transient && read == grid
      && bitCount == cost
  }

  private static func hasResolutions(_ grid: SBRGrid, _ resolutions: Int) -> Bool {
    (0..<grid.envelopeCount).allSatisfy { grid.isHigh($0) == (resolutions >> $0 & 1 != 0) }
  }

  @Test(arguments: [1, 2, 4], [false, true])
  func evenGridEqualsReadGrid(count: Int, isHigh: Bool) {
    for slotCount in [15, 16] {
      let grid = SBRGrid(even: count, isHigh: isHigh, slotCount: slotCount)
      var writer = BitWriter()
      grid.put(to: &writer, slotCount: slotCount)
      var bits = BitReader(writer.bytes)
      #expect(writer.bitCount == 5)
      let read = SBRGrid(&bits, slotCount: slotCount)
      #expect(read == grid)
      #expect(grid.end == slotCount && grid.envelopeCount == count)
      #expect((0..<count).allSatisfy { grid.isHigh($0) == isHigh })
    }
  }
}
