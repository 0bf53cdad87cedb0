import AacornSignal
import Testing

struct SampleQuantizerTests {
  private func integers(
    _ samples: [Float], bits: Int, channels: Int = 1, isDithered: Bool = false
  ) -> (integers: [Int32], clipped: Int) {
    var quantizer = SampleQuantizer(bitCount: bits, channelCount: channels, isDithered: isDithered)
    var integers: [Int32] = []
    quantizer.quantize(samples.span, into: &integers)
    return (integers, quantizer.clippedCount)
  }

  @Test(arguments: [16, 24, 32])
  func fullScaleIsClippedAndCounted(bits: Int) {
    let limit = Int64(1) << Int64(bits - 1)
    let samples: [Float] = [0, 0.5, -0.5, -1, 1, -1.5, .infinity, -.infinity, .nan]
    let result = integers(samples, bits: bits)
    let highest = Int32(limit - 1)
    let lowest = Int32(-limit)
    let half = Int32(limit / 2)
    #expect(
      result.integers
        == [0, half, -half, lowest, highest, lowest, highest, lowest, 0])
    #expect(result.clipped == 4)
  }

  @Test func sixteenBitsAreThoseOfTheConversion() {
    let samples = (-70_000..<70_000).map { Float($0) / 65_536 }
    let result = integers(samples, bits: 16)
    #expect(result.integers == samples.map { Int32(SampleConversion.int16($0)) })
  }

  @Test func integersOfTwentyFourBitsComeBack() {
    let values = (0..<100_000).map { Int32($0) * 83 - 4_150_000 } + [8_388_607, -8_388_608]
    let samples = values.map { Float($0) / 8_388_608 }
    #expect(integers(samples, bits: 24).integers == values)
    #expect(integers(samples, bits: 32).integers == values.map { $0 * 256 })
  }

  @Test func ditherHasTheMeanAndTheSpreadOfATriangle() {
    // A third of a step, which would be rounded to zero without dither.
    let sample = Float(1) / 3 / 32_768
    let count = 200_000
    let result = integers([Float](repeating: sample, count: count), bits: 16, isDithered: true)
    let mean = result.integers.reduce(0.0) { $0 + Double($1) } / Double(count)
    #expect(abs(mean - 1 / 3) < 0.01)
    // With triangular dither, the power of the error does not depend on the sample: a quarter of a
    // squared step.
    let power =
      result.integers.reduce(0.0) { $0 + (Double($1) - 1 / 3) * (Double($1) - 1 / 3) }
      / Double(count)
    #expect(abs(power - 0.25) < 0.01)
    #expect(result.integers.allSatisfy { (-1...2).contains($0) })
    #expect(result.clipped == 0)
  }

  @Test func channelsHaveIndependentReproducibleDither() {
    let samples = [Float](repeating: 0.3 / 32_768, count: 20_000)
    let one = integers(samples, bits: 16, channels: 2, isDithered: true).integers
    #expect(one == integers(samples, bits: 16, channels: 2, isDithered: true).integers)
    let left = stride(from: 0, to: one.count, by: 2).map { Double(one[$0]) - 0.3 }
    let right = stride(from: 1, to: one.count, by: 2).map { Double(one[$0]) - 0.3 }
    let product = zip(left, right).reduce(0.0) { $0 + $1.0 * $1.1 } / Double(left.count)
    #expect(abs(product) < 0.02)
    // The result does not depend on the division into blocks.
    var quantizer = SampleQuantizer(bitCount: 16, channelCount: 2, isDithered: true)
    var pieces: [Int32] = []
    inPieces(samples, of: [77]) { quantizer.quantize($0, into: &pieces) }
    #expect(pieces == one)
  }

  @Test func silenceStaysSilent() {
    let samples = [Float](repeating: 0, count: 1000) + [-0.0]
    #expect(
      integers(samples, bits: 16, isDithered: true).integers == [Int32](repeating: 0, count: 1001))
  }
}
