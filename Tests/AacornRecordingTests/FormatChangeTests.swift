import AacornCodec
import AacornDevices
import AacornRecording
import AacornSignal
import DeviceRigs
import Simulation
import Testing

@Suite(.simulated(seeds: 4, with: .all)) struct FormatChangeTests {
  /// A sine with a pitch that does not depend on the device's rate.
  private struct Sine: ReconfigurableSignal {
    var sampleRate = 48_000
    var channelCount = 2
    var time = 0.0

    mutating func read(into samples: inout [Float], frameCount: Int) -> Int {
      for _ in 0..<frameCount {
        let phase = (time * 1000).truncatingRemainder(dividingBy: 1)
        // One parabola per half wave: close enough to a sine to count zero crossings.
        let x = phase < 0.5 ? phase * 4 - 1 : phase * 4 - 3
        let value = Float((1 - x * x) * (phase < 0.5 ? 0.5 : -0.5))
        for _ in 0..<channelCount { samples.append(value) }
        time += 1 / Double(sampleRate)
      }
      return frameCount
    }

    mutating func reconfigure(sampleRate: Int, channelCount: Int) {
      self.sampleRate = sampleRate
      self.channelCount = channelCount
    }
  }

  @Test(arguments: [16_000, 44_100, 96_000])
  func aNewRateChangesNeitherPitchNorLength(rate: Int) throws {
    var bench = Bench()
    bench.signal = Sine()
    bench.faults = SyntheticFaults([.at(48_000, .formatChange(sampleRate: rate))])
    bench.frameCount = 48_000 + rate
    let outcome = try bench.run()
    #expect(outcome.gaps.isEmpty)
    #expect(abs(outcome.summary.sampleCount - 96_000) <= 1)
    #expect(outcome.events.contains(.formatChanged(sampleRate: rate, channelCount: 2)))
    let samples = outcome.samples
    for second in 0..<2 {
      var crossings = 0
      for frame in second * 48_000 + 1..<min(samples.count / 2, second * 48_000 + 48_000)
      where samples[2 * frame - 2] < 0 && samples[2 * frame] >= 0 { crossings += 1 }
      #expect((999...1001).contains(crossings))
    }
  }

  @Test func otherChannelsAreMixed() throws {
    var bench = Bench()
    bench.faults = SyntheticFaults([.at(48_000, .formatChange(channelCount: 1))])
    let outcome = try bench.run()
    #expect(outcome.summary.sampleCount == 96_000)
    let samples = outcome.samples
    #expect(samples[2 * 60_000] == samples[2 * 60_000 + 1])
    #expect(samples[2 * 60_000] == Int16(CounterSignal.value(frame: 60_000, channel: 0) * 32_768))
  }

  @Test func aDeviceThatReturnsWithAnotherRateKeepsTime() throws {
    var bench = Bench()
    bench.signal = Sine()
    bench.faults = SyntheticFaults([
      .at(
        48_000,
        .absence(
          for: .milliseconds(500), returningAs: .init(deviceID: "other", sampleRate: 16_000)))
    ])
    let outcome = try bench.run()
    let gap = try #require(outcome.gaps.first)
    #expect(outcome.gaps.count == 1)
    #expect(gap.position == 48_000)
    #expect(abs(gap.length - 24_000) <= 3)
  }

  @Test func chosenChannelsAreTakenAsTheyAre() throws {
    var bench = Bench()
    bench.channelCount = 8
    bench.configuration.channelMap = [2, 5]
    let outcome = try bench.run()
    let samples = outcome.samples
    for frame in stride(from: 0, to: 96_000, by: 997) {
      #expect(samples[2 * frame] == Int16(CounterSignal.value(frame: frame, channel: 2) * 32_768))
      #expect(
        samples[2 * frame + 1] == Int16(CounterSignal.value(frame: frame, channel: 5) * 32_768))
    }
  }

  @Test func missingChannelFailsRecording() throws {
    var bench = Bench()
    bench.configuration.channelMap = [2, 3]
    #expect(try bench.run().summary.failure == .noSuchChannel(2, deviceHas: 2))
  }
}
