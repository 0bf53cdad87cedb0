import AacornDevices
import AacornSystem
import Simulation
import SoundRigs
import Testing

struct SyntheticSourceTests {
  @Test func everyFrameArrivesOnceWithItsTime() throws {
    let run = try SyntheticRun(counting: 100_001, sampleRate: 44_100, faults: SyntheticFaults())
    var frame = 0
    for block in run.blocks {
      #expect(block.sampleRate == 44_100 && block.channelCount == 2)
      #expect(block.lostFrameCount == 0 && block.isTimeReliable)
      let exact = Double(frame) * 1e9 / 44_100
      #expect(abs(Double(block.time) - exact) <= 0.51)
      frame += block.frameCount
    }
    #expect(frame == 100_001)
    #expect(run.events == [.ended])
    let samples = run.samples
    let firstFault = samples.indices.first {
      samples[$0] != CounterSignal.value(frame: $0 / 2, channel: $0 % 2)
    }
    #expect(firstFault == nil && samples.count == 200_002)
  }

  @Test func withoutPacingItWaitsForRoomAndLosesNothing() throws {
    // The sink holds two blocks; the reader stalls from time to time.
    let faults = SyntheticFaults([.at(3000, .loss(frameCount: 7, cause: .serverHole))])
    let source = SyntheticRun.counter(60_000, faults: faults)
    let sink = CaptureSink(sampleCapacity: 2000)
    try source.start(sink)
    defer { source.stop() }
    var samples: [Float] = []
    var losses: [CaptureLoss] = []
    var lost = 0
    var blockCount = 0
    while let block = sink.read(into: &samples, milliseconds: TestTimeout.milliseconds),
      block.event == nil
    {
      lost += block.lostFrameCount
      if block.lostFrameCount != 0 { losses.append(block.lossCause) }
      blockCount += 1
      if blockCount % 20 == 1 { System.sleep(milliseconds: 5) }
    }
    #expect(lost == 7 && losses == [.serverHole])
    #expect(samples.count == 2 * (60_000 - 7))
    #expect(samples.last == CounterSignal.value(frame: 59_999, channel: 1))
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

  @Test func realTimeSourceDeliversNoFrameBeforeItsTime() throws {
    let source = SyntheticRun.counter(4800, pacing: .realTime)
    #expect(source.followsClock)
    let before = System.nanoseconds
    let sink = CaptureSink()
    try source.start(sink)
    defer { source.stop() }
    var samples: [Float] = []
    var first: Int64?
    var frame = 0
    while let block = sink.read(into: &samples, milliseconds: TestTimeout.milliseconds),
      block.event == nil
    {
      let start = first ?? block.time
      first = start
      #expect(start >= before)
      #expect(abs(block.time - start - Int64(frame) * 1_000_000_000 / 48_000) <= 1)
      frame += block.frameCount + block.lostFrameCount
      #expect(System.nanoseconds >= start + Int64(frame) * 1_000_000_000 / 48_000 - 1)
    }
    #expect(frame == 4800)
  }

  @Test(.simulated(seeds: 5), arguments: [SyntheticSource.Pacing.realTime, .unpaced])
  func stoppedSourceDeliversNothingAndRestartsFromZero(pacing: SyntheticSource.Pacing) throws {
    let source = SyntheticRun.counter(1 << 40, pacing: pacing)
    for _ in 0..<2 {
      let sink = CaptureSink(sampleCapacity: 4096)
      try source.start(sink)
      var samples: [Float] = []
      _ = try #require(sink.read(into: &samples, milliseconds: TestTimeout.milliseconds))
      #expect(samples.first == CounterSignal.value(frame: 0, channel: 0))
      source.stop()
      while sink.read(into: &samples, milliseconds: 0) != nil {}
      System.sleep(milliseconds: 10_000)
      #expect(sink.read(into: &samples, milliseconds: 0) == nil)
      source.stop()
    }
  }

  @Test func stopDoesNotWaitForAnAbsentDevice() throws {
    // The device counts the frames of its absence before it reports it, so it has one per second.
    let source = SyntheticRun.counter(
      1 << 40, 1, 1, pacing: .realTime,
      faults: SyntheticFaults([.at(0, .absence(for: .seconds(600)))]))
    let sink = CaptureSink()
    try source.start(sink)
    var samples: [Float] = []
    #expect(sink.read(into: &samples, milliseconds: TestTimeout.milliseconds)?.event == .deviceLost)
    source.stop()
    #expect(sink.read(into: &samples, milliseconds: 0) == nil)
  }

  /// The simulation reports a thread that does not end.
  @Test(.simulated(seeds: 5)) func aReleasedSourceEndsItsThread() throws {
    let sink = CaptureSink()
    var source: SyntheticSource? = SyntheticRun.counter(1 << 40, pacing: .realTime)
    try source?.start(sink)
    var samples: [Float] = []
    _ = try #require(sink.read(into: &samples, milliseconds: TestTimeout.milliseconds))
    weak let released = source
    source = nil
    #expect(released == nil)
    while sink.read(into: &samples, milliseconds: 0) != nil {}
    System.sleep(milliseconds: 10_000)
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
    let source = SyntheticSource(
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
    let source = SyntheticRun.counter(2000, faults: faults)
    source.resume()
    let run = try SyntheticRun(source)
    #expect(run.events == [.deviceLost, .deviceReturned, .ended])
    #expect(run.samples.count == 2 * (2000 - 480))
  }
}
