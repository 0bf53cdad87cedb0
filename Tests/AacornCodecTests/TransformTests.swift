import Foundation
import Testing

@testable import AacornCodec

/// The fast transforms, compared with their definitions.
@Suite struct TransformTests {
  static let shapes: [WindowShape] = [.sine, .kaiserBesselDerived]

  @Test(arguments: shapes, shapes)
  func longTransformFollowsItsFormula(left: WindowShape, right: WindowShape) {
    let table = WindowTable()
    var transform = MDCT()
    for (rise, fall) in [
      (table.long(left), table.long(right)), (table.steep(left), table.long(right)),
      (table.long(left), table.steep(right)),
    ] {
      for start in [0, 3, 1000] {
        let samples = NoiseGenerator.floats(
          start + 2048, amplitude: 30_000, seed: UInt32(start + 1))
        var lines = [Float](repeating: 0, count: 1024)
        transform.long(samples, from: start, left: rise, right: fall, into: &lines)
        let window = rise + fall.reversed()
        let exact = ReferenceTransform.forward(
          (0..<2048).map { Double(samples[start + $0]) * Double(window[$0]) })
        #expect(Likeness.signalToNoise(lines, exact) > 120)
      }
    }
  }

  @Test(arguments: shapes, shapes)
  func shortTransformsFollowTheirFormula(left: WindowShape, slope: WindowShape) {
    let table = WindowTable()
    var transform = MDCT()
    let samples = NoiseGenerator.floats(2100, amplitude: 30_000, seed: 77)
    var lines = [Float](repeating: 0, count: 1024)
    transform.short(
      samples, from: 52, left: table.short(left), slope: table.short(slope), into: &lines)
    for index in 0..<8 {
      let rise = index == 0 ? table.short(left) : table.short(slope)
      let window = rise + table.short(slope).reversed()
      // The first short window begins at sample 448 of the frame.
      let part = samples[500 + 128 * index..<756 + 128 * index]
      let exact = ReferenceTransform.forward(zip(part, window).map { Double($0) * Double($1) })
      let found = Array(lines[index * 128..<(index + 1) * 128])
      #expect(Likeness.signalToNoise(found, exact) > 120, "window \(index)")
    }
  }

  @Test func transformsMatchTheVectors() throws {
    let cases = try CodecVectors.load().transform
    let table = WindowTable()
    var transform = MDCT()
    var lines = [Float](repeating: 0, count: 1024)
    func check(from: Int, _ expected: [Double]?) throws {
      for (index, value) in try #require(expected).enumerated() {
        let error = abs(Double(lines[from + index]) - value)
        #expect(error < 0.01 + 1e-6 * 13_000_000)
      }
    }
    var impulse = [Float](repeating: 0, count: 2048)
    impulse[512] = 1000
    for (item, shape) in zip(cases, Self.shapes) {
      transform.long(
        impulse, from: 0, left: table.long(shape), right: table.long(shape), into: &lines)
      for (index, value) in try #require(item.first16).enumerated() {
        #expect(abs(Double(lines[index]) - value) < 0.001)
      }
    }
    let long = (0..<2048).map {
      Float(10_000 * cos(2 * .pi * 16.5 / 2048 * (Double($0) + 512.5)))
    }
    transform.long(long, from: 0, left: table.long(.sine), right: table.long(.sine), into: &lines)
    try check(from: 8, cases[2].from8)
    // The first short window begins at sample 448.
    let short = (0..<2048).map {
      Float(10_000 * cos(2 * .pi * 10.5 / 256 * (Double($0 - 448) + 64.5)))
    }
    transform.short(
      short, from: 0, left: table.short(.sine), slope: table.short(.sine), into: &lines)
    try check(from: 4, cases[3].from4)
  }

  @Test func windowsMatchTheVectorsAndTheReference() throws {
    let known = try CodecVectors.load().windowSamples
    let table = WindowTable()
    func check(_ window: [Float], _ reference: [Double], _ indices: [Int], _ expected: [Double]) {
      for (index, value) in zip(indices, expected) {
        #expect(abs(Double(window[index]) - value) < 1e-6)
      }
      #expect(window.count == reference.count)
      for (value, exact) in zip(window, reference) {
        #expect(abs(Double(value) - exact) <= 6e-8 * max(exact, 1e-3))
      }
    }
    check(table.long(.sine), ReferenceTransform.sine(1024), known.indices.long, known.longSine)
    check(table.short(.sine), ReferenceTransform.sine(128), known.indices.short, known.shortSine)
    check(
      table.long(.kaiserBesselDerived), ReferenceTransform.kaiserBesselDerived(1024, alpha: 4),
      known.indices.long, known.longKaiser)
    check(
      table.short(.kaiserBesselDerived), ReferenceTransform.kaiserBesselDerived(128, alpha: 6),
      known.indices.short, known.shortKaiser)
  }

  /// w² of a slope and of its mirror image sum to 1, as the overlap requires.
  @Test(arguments: shapes)
  func slopesComplementEachOther(shape: WindowShape) {
    let table = WindowTable()
    for slope in [table.long(shape), table.short(shape), table.steep(shape)] {
      for (rise, fall) in zip(slope, slope.reversed()) {
        #expect(abs(rise * rise + fall * fall - 1) < 1e-6)
      }
    }
  }
}
