import AacornSignal
import Foundation
import Testing

@testable import AacornCodec

@Suite struct DemandModelTests {
  struct Band {
    var logRatio: Double
    var lines: Double

    /// Half a bit per line for each doubling of 1 + 2^1.5 · (energy / noise).
    func bits(at level: Double) -> Double {
      0.5 * lines * Foundation.log2(1 + Foundation.exp2(logRatio + 1.5 - level))
    }
  }

  static func example(_ counts: [Int]) -> (bands: [Band], model: DemandModel) {
    var random = NoiseGenerator(state: 17)
    var (bands, model) = ([Band](), DemandModel())
    for count in counts {
      var ratios = [Float](repeating: 0, count: BandLayout.listCapacity)
      var lines = ratios
      for band in 0..<count {
        ratios[band] = Float(8 + 12 * random.next())
        lines[band] = Float(16 + 15 * random.next())
        bands.append(Band(logRatio: Double(ratios[band]), lines: Double(lines[band])))
      }
      model.append(logRatios: ratios, lines: lines, bandCount: count)
    }
    return (bands, model)
  }

  static let shapes = [[1], [4], [7], [49], [49, 42], [5, 3, 6], [Int](repeating: 120, count: 8)]

  @Test(arguments: shapes)
  func frameBitsAreSumOfBandBits(counts: [Int]) {
    let (bands, model) = Self.example(counts)
    for level in stride(from: -20.0, through: 30, by: 2.5) {
      let exact = bands.reduce(0) { $0 + $1.bits(at: level) }
      #expect(abs(Double(model.bits(at: Float(level)).bits) - exact) <= 1e-4 * exact + 1e-3)
    }
  }

  @Test func slopeIsDerivativeOfBits() {
    let (bands, model) = Self.example([49, 42])
    for level in stride(from: -10.0, through: 20, by: 1.5) {
      let fall = bands.reduce(0) { $0 + ($1.bits(at: level - 1e-4) - $1.bits(at: level + 1e-4)) }
      let slope = Double(model.bits(at: Float(level)).slope)
      #expect(abs(slope - fall / 2e-4) <= 1e-3 * slope)
    }
  }

  @Test(arguments: [-5.0, 0, 10] as [Float])
  func levelSearchMeetsBitTarget(guess: Float) {
    let (_, model) = Self.example([49, 42])
    for target: Float in [800, 2000, 4000, 8000] {
      let found = model.bits(at: model.level(for: target, from: guess)).bits
      #expect(abs(found - target) <= 0.02 * target)
    }
  }

  /// Compares the prediction for a band's statistics with the prediction for the same band in a
  /// list.
  @Test func aBandAloneIsPredictedAsInAList() {
    for (energy, width, threshold): (Float, Float, Float) in [(1e8, 16, 1e5), (3e6, 4, 2e6)] {
      // √|x| summed over equal lines.
      let rootSum = width * (energy / width).squareRoot().squareRoot()
      let alone = DemandModel.bits(
        energy: energy, rootSum: rootSum, width: width, threshold: threshold)
      var (ratios, lines) = ([Float](repeating: 0, count: 4), [Float](repeating: 0, count: 4))
      ratios[0] = ElementaryFunctions.log2(energy / threshold)
      lines[0] = width
      var model = DemandModel()
      model.append(logRatios: ratios, lines: lines, bandCount: 1)
      #expect(abs(model.bits(at: 0).bits / alone - 1) < 1e-4)
    }
  }
}
