import AacornDevices
import AacornSystem
import DeviceRigs
import SoundRigs
import Testing

struct SyntheticFaultTests {
  @Test(arguments: CaptureLoss.allCases)
  func knownLossIsReportedAndItsFramesSkipped(cause: CaptureLoss) throws {
    let faults = SyntheticFaults([.at(1000, .loss(frameCount: 333, cause: cause))])
    let run = try SyntheticRun(counting: 5000, faults: faults)
    let after = try #require(run.blocks.first { $0.lostFrameCount > 0 })
    #expect(after.lostFrameCount == 333 && after.lossCause == cause)
    #expect(after.firstFrame == 1333)
    #expect(after.time == 1333 * 1_000_000_000 / 48_000)
    #expect(run.samples.count == 2 * (5000 - 333))
    #expect(run.blocks.filter { $0.lostFrameCount > 0 }.count == 1)
  }

  @Test func lossUpToTheEndIsReportedWithoutSamples() throws {
    let faults = SyntheticFaults([.at(1000, .loss(frameCount: 9999, cause: .overrun))])
    let run = try SyntheticRun(counting: 1200, faults: faults)
    let last = try #require(run.blocks.last)
    #expect(last.frameCount == 0 && last.lostFrameCount == 200)
    #expect(run.samples.count == 2000)
  }

  @Test func aSilentLossShowsInTheTimesAlone() throws {
    let faults = SyntheticFaults([.at(777, .silentLoss(frameCount: 48_000))])
    let run = try SyntheticRun(counting: 60_000, faults: faults)
    #expect(run.blocks.allSatisfy { $0.lostFrameCount == 0 })
    let after = try #require(run.blocks.first { $0.time >= 1_000_000_000 })
    #expect(after.firstFrame == 48_777)
    #expect(after.time == 48_777 * 1_000_000_000 / 48_000)
    #expect(run.samples.count == 2 * 12_000)
  }

  @Test func absentDeviceCanReturnAsAnotherDevice() throws {
    let faults = SyntheticFaults([
      .at(
        4800,
        .absence(
          for: .milliseconds(500),
          returningAs: .init(deviceID: "second", sampleRate: 16_000, channelCount: 1)))
    ])
    let source = FaultySource.counter(40_000, faults: faults)
    let run = try SyntheticRun(source)
    #expect(run.events == [.deviceLost, .deviceReturned, .deviceChanged, .ended])
    let times = run.pieces.filter { $0.event != nil }.map(\.time)
    #expect(times[..<3] == [100_000_000, 600_000_000, 600_000_000])
    let index = try #require(run.pieces.firstIndex { $0.event == .deviceChanged })
    let before = run.pieces[..<index].filter { $0.event == nil }
    #expect(before.map(\.frameCount).reduce(0, +) == 4800)
    let after = run.pieces[index + 1]
    #expect(after.sampleRate == 16_000 && after.channelCount == 1)
    #expect(after.firstFrame == 28_800)
    #expect(after.time == 600_000_000)
    #expect(run.pieces[index + 2].time == 610_000_000)
    #expect(source.device?.id == "second")
    #expect(source.device?.sampleRate == 16_000)
  }

  @Test func anExchangedDeviceIsAnnouncedWithoutAPause() throws {
    let faults = SyntheticFaults([.at(960, .exchange(.init(deviceID: "other")))])
    let source = FaultySource.counter(2000, faults: faults)
    let run = try SyntheticRun(source)
    #expect(run.events == [.deviceChanged, .ended])
    #expect(run.samples.count == 4000)
    #expect(source.device?.id == "other")
  }

  @Test func aChangeOfFormatShowsInTheBlocksAlone() throws {
    let faults = SyntheticFaults([
      .at(4800, .formatChange(sampleRate: 24_000)),
      .at(7200, .formatChange(channelCount: 3)),
    ])
    let run = try SyntheticRun(counting: 9600, faults: faults)
    #expect(run.events == [.ended])
    var frame = 0
    for block in run.blocks {
      #expect(block.firstFrame == frame)
      #expect(block.sampleRate == (frame < 4800 ? 48_000 : 24_000))
      #expect(block.channelCount == (frame < 7200 ? 2 : 3))
      let late = max(0, frame - 4800)
      let microseconds = (frame - late) * 1_000_000 / 48_000 + late * 1_000_000 / 24_000
      #expect(abs(block.time - Int64(microseconds) * 1000) < 1000)
      frame += block.frameCount
    }
    #expect(frame == 9600)
  }

  @Test func aRecordingKeepsItsSoundWhenTheChannelsChange() throws {
    let faults = SyntheticFaults([.at(480, .formatChange(sampleRate: 8000, channelCount: 3))])
    let source = FaultySource(
      Device(backend: .synthetic, id: "file:x", name: "x"), playing: Recording(),
      pacing: .unpaced, faults: faults)
    let run = try SyntheticRun(source)
    let last = try #require(run.blocks.last)
    #expect(last.channelCount == 3 && last.sampleRate == 8000)
    #expect(last.samples.suffix(3) == [999, -999, 999])
    #expect(run.events == [.failed])
    #expect(source.failure == .unreadableFile(path: "x", reason: "it is cut off"))
  }

  /// Frames n, −n; the signal ends after 1,000 frames.
  private struct Recording: SyntheticSignal {
    let sampleRate = 48_000
    let channelCount = 2
    var position = 0
    var failure: DeviceError? { .unreadableFile(path: "x", reason: "it is cut off") }

    mutating func read(into samples: inout [Float], frameCount: Int) -> Int {
      let count = min(frameCount, 1000 - position)
      for frame in position..<position + count { samples += [Float(frame), -Float(frame)] }
      position += count
      return count
    }
  }

  @Test func suspendedDeviceContinuesByItsClock() throws {
    let faults = SyntheticFaults([.at(480, .suspension(for: .milliseconds(20)))])
    let run = try SyntheticRun(counting: 4800, faults: faults)
    #expect(run.events == [.suspended, .resumed, .ended])
    let index = try #require(run.pieces.firstIndex { $0.event == .resumed })
    #expect(run.pieces[index - 1].time == 10_000_000)
    #expect(run.pieces[index].time == 30_000_000)
    #expect(run.pieces[index + 1].firstFrame == 1440)
  }

  @Test func unreliableTimesEndWhereTheyShould() throws {
    let faults = SyntheticFaults([.at(700, .unreliableTimes(frameCount: 1000))])
    let run = try SyntheticRun(counting: 4000, faults: faults)
    for block in run.blocks {
      #expect(block.isTimeReliable == !(700..<1700).contains(block.firstFrame))
    }
    #expect(run.blocks.filter { !$0.isTimeReliable }.map(\.frameCount).reduce(0, +) == 1000)
  }

  @Test func aFailureIsTheEnd() throws {
    let error = DeviceError.system(operation: "read", id: "counter", reason: "it burns")
    let source = FaultySource.counter(
      4000,
      faults: SyntheticFaults([.at(1234, .failure(error)), .at(1300, .silentLoss(frameCount: 1))]))
    let run = try SyntheticRun(source)
    #expect(run.events == [.failed])
    #expect(run.samples.count == 2468)
    #expect(source.failure == error)
  }

  @Test(arguments: [-1000.0, -50, 20, 100])
  func aDriftingClockIsOffByItsRate(parts: Double) throws {
    let run = try SyntheticRun(
      counting: 480_001, faults: SyntheticFaults(driftPartsPerMillion: parts))
    let last = try #require(run.blocks.last)
    #expect(last.time == 10_000_000_000 + Int64(parts * 10_000))
  }

  @Test func jitterStaysWithinItsBounds() throws {
    let run = try SyntheticRun(
      counting: 480_000, faults: SyntheticFaults(jitter: .milliseconds(1)))
    var (minimum, maximum): (Int64, Int64) = (0, 0)
    for (index, block) in run.blocks.enumerated() {
      let error = block.time - Int64(index) * 10_000_000
      minimum = min(minimum, error)
      maximum = max(maximum, error)
    }
    #expect(minimum >= -1_000_000 && minimum < -900_000)
    #expect(maximum <= 1_000_000 && maximum > 900_000)
  }

  @Test func blockSizesVaryWithinTheirBounds() throws {
    let run = try SyntheticRun(
      counting: 100_000, faults: SyntheticFaults(blockFrameCounts: 5...77))
    let sizes = run.blocks.dropLast().map(\.frameCount)
    #expect(sizes.min() == 5 && sizes.max() == 77)
    #expect(run.samples.count == 200_000)
  }

  @Test func faultsAtOnePlaceComeInTheirOrder() throws {
    let faults = SyntheticFaults([
      .at(500, .suspension(for: .milliseconds(1))), .at(500, .absence(for: .milliseconds(1))),
      .at(500, .loss(frameCount: 4, cause: .overrun)), .at(500, .silentLoss(frameCount: 5)),
    ])
    let run = try SyntheticRun(counting: 2000, faults: faults)
    #expect(run.events == [.suspended, .resumed, .deviceLost, .deviceReturned, .ended])
    let after = try #require(run.blocks.first { $0.lostFrameCount > 0 })
    #expect(after.lostFrameCount == 4 && after.firstFrame == 500 + 48 + 48 + 4 + 5)
  }

  @Test func theSameScriptGivesTheSameStream() throws {
    let faults = SyntheticFaults(
      [
        .at(20_000, .silentLoss(frameCount: 500)),
        .at(5000, .absence(for: .milliseconds(40), returningAs: .init(sampleRate: 44_100))),
        .at(9999, .suspension(for: .milliseconds(3))),
      ], driftPartsPerMillion: 150, jitter: .microseconds(90), blockFrameCounts: 1...700, seed: 5)
    let run = try SyntheticRun(counting: 50_000, faults: faults)
    #expect(try SyntheticRun(counting: 50_000, faults: faults, capacity: 1500) == run)
    var other = faults
    other.seed = 6
    #expect(try SyntheticRun(counting: 50_000, faults: other) != run)
  }

  @Test func stopDoesNotWaitForAnAbsentDevice() throws {
    // The device counts the frames of its absence before it reports it, so it has one per second.
    let source = FaultySource.counter(
      1 << 40, sampleRate: 1, channelCount: 1, pacing: .realTime,
      faults: SyntheticFaults([.at(0, .absence(for: .seconds(600)))]))
    let sink = CaptureSink()
    try source.start(sink)
    var samples: [Float] = []
    #expect(sink.read(into: &samples, milliseconds: TestTimeout.milliseconds)?.event == .deviceLost)
    source.stop()
    #expect(sink.read(into: &samples, milliseconds: 0) == nil)
  }

  @Test(
    arguments: [
      (.absence(for: .seconds(7200)), [.deviceLost, .deviceReturned]),
      (.suspension(for: .seconds(7200)), [.suspended, .resumed]),
    ] as [(SyntheticFaults.Kind, [DeviceEvent])])
  func anAbsenceEndsWhenTheDeviceIsTakenBack(
    fault: SyntheticFaults.Kind, events: [DeviceEvent]
  ) throws {
    let source = FaultySource(
      Device(backend: .synthetic, id: "test", name: "Test"),
      playing: CounterSignal(sampleRate: 48_000, channelCount: 2),
      faults: SyntheticFaults([.at(480, fault)]))
    let sink = CaptureSink()
    // A resume before the event has no effect on it.
    source.resume()
    try source.start(sink)
    defer { source.stop() }
    var samples: [Float] = []
    var received: [DeviceEvent] = []
    while received.count < 2 {
      let block = try #require(sink.read(into: &samples, milliseconds: TestTimeout.milliseconds))
      guard let event = block.event else { continue }
      received.append(event)
      if received.count == 1 { source.resume() }
    }
    #expect(received == events)
    // The device's clock continued during the absence.
    samples = []
    let block = try #require(sink.read(into: &samples, milliseconds: TestTimeout.milliseconds))
    #expect(block.event == nil && samples.count == 2 * block.frameCount)
    let now = System.nanoseconds
    #expect(block.time <= now && block.time > now - Int64(TestTimeout.milliseconds) * 1_000_000)
  }

  @Test func withoutPacingAnAbsenceKeepsItsLength() throws {
    let faults = SyntheticFaults([.at(100, .absence(for: .milliseconds(10)))])
    let source = FaultySource.counter(2000, faults: faults)
    source.resume()
    let run = try SyntheticRun(source)
    #expect(run.events == [.deviceLost, .deviceReturned, .ended])
    #expect(run.samples.count == 2 * (2000 - 480))
  }
}
