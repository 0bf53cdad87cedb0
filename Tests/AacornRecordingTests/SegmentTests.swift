import AacornCodec
import AacornDevices
import AacornRecording
import AacornSignal
import DeviceRigs
import Simulation
import Testing

@Suite(.simulated(seeds: 4, with: .all)) struct SegmentTests {
  @Test(
    arguments: [.int16, .constant(96_000), .constant(64_000, .highEfficiency)]
      as [RecordingConfiguration.Coding])
  func partsOfATimeJoinToTheSample(coding: RecordingConfiguration.Coding) throws {
    var bench = Bench()
    bench.configuration.coding = coding
    bench.configuration.split = .every(.milliseconds(333))
    let outcome = try bench.run()
    let counts = outcome.segments.compactMap { $0.end?.sampleCount }
    #expect(counts == [15_984, 15_984, 15_984, 15_984, 15_984, 15_984, 96])
    #expect(outcome.segments.map(\.start.position) == (0..<7).map { $0 * 15_984 })
    #expect(outcome.segments.map { $0.end?.isLast } == (0..<7).map { $0 == 6 })
    for segment in outcome.segments {
      let end = try #require(segment.end)
      #expect(end.trim.sampleCount == end.sampleCount)
      #expect(segment.start.expectedPacketCount.map { $0 >= segment.packets.count } ?? false)
      if coding == .int16 { continue }
      let timing = try #require(segment.start.format.aac).timing
      #expect(timing == bench.configuration.timing && end.trim.priming == timing.priming)
      #expect(segment.packets.first?.position == segment.start.position - timing.priming)
      #expect(segment.packets.allSatisfy { $0.sampleCount == timing.samplesPerUnit })
    }
    if coding == .int16 { #expect(firstWrongFrame(outcome.samples, gaps: []) == nil) }
  }

  @Test func partsStayBelowTheirSize() throws {
    var bench = Bench()
    bench.frameCount = 960_000
    bench.configuration.coding = .constant(96_000)
    bench.configuration.split = .bytes(100_000)
    let outcome = try bench.run()
    #expect(outcome.segments.count > 2)
    for segment in outcome.segments {
      #expect(segment.packets.reduce(0) { $0 + $1.bytes.count } < 100_000)
    }
    #expect(outcome.segments.compactMap { $0.end?.sampleCount }.reduce(0, +) == 960_000)
  }

  /// One second of sound, then three seconds of silence, repeated.
  private struct Bursts: SyntheticSignal {
    let sampleRate = 48_000
    let channelCount = 2
    var frame = 0

    mutating func read(into samples: inout [Float], frameCount: Int) -> Int {
      for _ in 0..<frameCount {
        let isSound = frame % 192_000 < 48_000
        let value: Float = isSound ? (frame % 2 == 0 ? 0.1 : -0.1) : 0
        samples += [value, value]
        frame += 1
      }
      return frameCount
    }
  }

  @Test func aNewPartBeginsInSilence() throws {
    var bench = Bench()
    bench.signal = Bursts()
    bench.frameCount = 3 * 192_000
    bench.configuration.split = .onSilence
    let outcome = try bench.run()
    // The cut is two seconds after the end of the sound.
    #expect(outcome.segments.map(\.start.position) == [0, 143_999, 335_999, 527_999])
    #expect(outcome.samples.count == 2 * 3 * 192_000)
  }

  @Test func segmentsListTheirOwnGaps() throws {
    var bench = Bench()
    bench.configuration.split = .every(.milliseconds(500))
    bench.faults = SyntheticFaults([
      .at(20_000, .loss(frameCount: 8000, cause: .overrun)),
      .at(60_000, .absence(for: .milliseconds(100))),
    ])
    let outcome = try bench.run()
    let gapsBySegment = outcome.segments.map { segment in
      segment.gaps.map { [$0.position - segment.start.position, $0.length] }
    }
    #expect(gapsBySegment == [[[20_000, 4000]], [[0, 4000]], [[12_000, 4800]], []])
  }

  @Test func anythingDownToOneSampleIsARecording() throws {
    for count in [1, 2, 1023, 1024, 1025] {
      var bench = Bench()
      bench.frameCount = count
      bench.configuration.coding = .aac(
        rateControl: .constant(bitsPerSecond: 96_000), effort: .balanced)
      let outcome = try bench.run()
      #expect(outcome.summary.sampleCount == count)
      #expect(outcome.segments.first?.end?.trim.sampleCount == count)
      #expect(outcome.packets.count == (count + 1023) / 1024 + 1)
    }
  }
}

@Suite struct DriftTests {
  @Test(arguments: [-80.0, 35, 200])
  func theDriftOfADeviceIsMeasured(partsPerMillion: Double) throws {
    var bench = Bench.forMinutes()
    bench.frameCount = 16_000 * 120
    bench.faults = SyntheticFaults(
      [], driftPartsPerMillion: partsPerMillion, jitter: .milliseconds(1))
    let outcome = try bench.run()
    let drift = try #require(outcome.summary.driftPartsPerMillion)
    // The simulated drift lengthens the device's seconds, so the device is slower and the measured
    // drift has the opposite sign.
    #expect(abs(drift + partsPerMillion) < 10)
    #expect(outcome.gaps.isEmpty)
  }

  @Test func onRequestTheRecordingFollowsTheComputersClock() throws {
    for partsPerMillion in [-150.0, 150] {
      var bench = Bench.forMinutes()
      bench.frameCount = 16_000 * 300
      bench.configuration.followsWallClock = true
      bench.faults = SyntheticFaults([], driftPartsPerMillion: partsPerMillion)
      let outcome = try bench.run()
      let elapsed = 300 * (1 + partsPerMillion * 1e-6) * 16_000
      #expect(abs(Double(outcome.summary.sampleCount) - elapsed) < 160)
    }
  }
}
