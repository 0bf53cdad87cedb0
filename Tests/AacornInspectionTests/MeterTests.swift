import TestSignals
import Testing

@testable import AacornInspection

/// Rates, plots and buffers that are computed without storing the frames.
@Suite struct MeterTests {
  @Test func plotKeepsAllBitsInFewBuckets() {
    var plot = BitratePlot()
    for index in 0..<10_000 { plot.add(bits: Int64(index)) }
    #expect(plot.framesPerBucket == 8)
    #expect(plot.buckets.count == 1250)
    #expect(plot.buckets.reduce(0, +) == 9999 * 10_000 / 2)
    #expect(plot.buckets[1] == (8..<16).reduce(0, +))
    #expect(plot.lastBucketFrames == 8)
  }

  @Test func requiredBufferIsThatOfASimulation() throws {
    var random = SeededNumbers(seed: 3)
    for round in 0..<20 {
      let sizes = (0..<500).map { index -> Int64 in
        // Noise, and a slow swell in every other round.
        let swell = round % 2 == 0 ? 0 : Int64(index * (500 - index) / 50)
        return Int64(random.below(1024)) + swell
      }
      var envelope = BufferEnvelope()
      for size in sizes { envelope.add(bits: size) }

      // The minimum over constant rates near the mean equals the required buffer, except for
      // rounding.
      let mean = Double(sizes.reduce(0, +)) / Double(sizes.count)
      let least = (-500...500).map { span(of: sizes, rate: mean * (1 + Double($0) / 10_000)) }
        .min()
      let simulated = try #require(least)
      #expect(Double(envelope.required) <= simulated + 1)
      #expect(Double(envelope.required) >= simulated * 0.97)
    }
  }

  /// Returns the buffer that a decoder needs at a constant rate, computed frame by frame.
  private func span(of sizes: [Int64], rate: Double) -> Double {
    var level = 0.0
    var lowest = Double.infinity
    var highest = -Double.infinity
    for size in sizes {
      highest = max(highest, level)
      level -= Double(size)
      lowest = min(lowest, level)
      level += rate
    }
    return highest - lowest
  }

  @Test func shortStreamsHaveOneRate() {
    var meter = BitrateMeter()
    for _ in 0..<10 { meter.add(bits: 1024, samples: 1024, sampleRate: 48_000) }
    #expect(meter.result.mean == 48_000)
    #expect(meter.result.minimum == 48_000 && meter.result.maximum == 48_000)
  }

  @Test func silenceOfASecondHasNoRate() {
    var meter = BitrateMeter()
    for _ in 0..<100 { meter.add(bits: 0, samples: 1024, sampleRate: 48_000) }
    #expect(meter.result == StreamReport.Bitrate())
  }
}
