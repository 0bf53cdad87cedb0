import Testing

@testable import AacornCodec

@Suite struct BitReservoirTests {
  @Test(arguments: [
    (128_000, 44_100, 2), (16_000, 44_100, 1), (96_000, 48_000, 2), (7_353, 7_350, 1),
    (384_000, 48_000, 5), (500_000, 44_100, 2),
  ])
  func reservoirLevelsStayExact(bitsPerSecond: Int, rate: Int, channels: Int) {
    var reservoir = BitReservoir(
      bitsPerSecond: bitsPerSecond, sampleRate: rate, bufferedChannels: channels)
    let start = reservoir.level
    #expect((0...reservoir.capacity).contains(start))
    #expect((0...reservoir.capacity).contains(reservoir.targetLevel))
    #expect(reservoir.largestFrame == 6144 * channels)
    var noise = NoiseGenerator(state: 23)
    var spent = 0
    for frame in 1...5000 {
      let least = (reservoir.minBitCount + 7) & ~7
      let most = reservoir.maxBitCount & ~7
      #expect(least <= most)
      let share = (noise.next() + 1) / 2
      let bits = max(least, (least + Int(share * Double(most - least))) & ~7)
      spent += bits
      reservoir.endFrame(bits: bits)
      #expect((0...reservoir.capacity).contains(reservoir.level))
      let arrived = frame * bitsPerSecond * 1024 / rate
      #expect(reservoir.level == start + arrived - spent)
    }
  }

  /// Either all frames have the maximum size, or all have the minimum size.
  @Test(arguments: [true, false], [12_000, 96_000, 250_000])
  func extremesStayWithinTheBuffer(isLargest: Bool, bitsPerSecond: Int) {
    var reservoir = BitReservoir(
      bitsPerSecond: bitsPerSecond, sampleRate: 48_000, bufferedChannels: 1)
    var spent = 0
    for _ in 0..<5000 {
      let bits = isLargest ? reservoir.maxBitCount & ~7 : (reservoir.minBitCount + 7) & ~7
      #expect(bits <= reservoir.largestFrame)
      spent += bits
      reservoir.endFrame(bits: bits)
      #expect((0...reservoir.capacity).contains(reservoir.level))
    }
    let rate = Double(spent) * 48_000 / 1024 / 5000
    #expect(abs(rate / Double(bitsPerSecond) - 1) < 0.005)
  }
}
