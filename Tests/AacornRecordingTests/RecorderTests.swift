import AacornCodec
import AacornDevices
import AacornRecording
import AacornSignal
import AacornSystem
import DeviceRigs
import Simulation
import SoundRigs
import Testing

@Suite(.simulated(seeds: 3)) struct RecorderTests {
  @Test func aSuffixThatCannotBeRecordedIsRefusedBeforeTheMicrophone() async throws {
    let folder = try Folder()
    let path = folder.file("x.mp3")
    let recorder = Recorder(to: path)
    let failure = await #expect(throws: RecordingError.self) { try await recorder.start() }
    #expect(
      failure?.message
        == "The suffix of “\(path)” does not match any format that can be recorded. Use .m4a, .aac, .wav or "
        + ".caf.")
    #expect(await recorder.end().failure == failure)
    #expect(folder.names.isEmpty)
  }

  @Test func packetsAndEventsComeInOrder() async throws {
    let configuration = RecordingConfiguration.stereo(.int16) { $0.duration = .milliseconds(1000) }
    let recorder = Recorder(from: SyntheticSource.test(pacing: .realTime), to: [], configuration)
    try await recorder.start()
    var position = 0
    for await packet in recorder.packets {
      #expect(packet.position == position)
      position += packet.sampleCount
    }
    #expect(position == 48_000)
    var events: [RecorderEvent] = []
    for await event in recorder.events { events.append(event) }
    guard case .started? = events.first, case .stopped(let summary)? = events.last else {
      Issue.record("\(events)")
      return
    }
    #expect(summary.sampleCount == 48_000)
    #expect(await recorder.end() == summary)
  }

  @Test func waitsForTheEndReturnWhenTheEventStoppedIsHandled() async throws {
    let isHandled = Lock(false)
    let configuration = RecordingConfiguration.stereo(.int16) { $0.duration = .milliseconds(100) }
    let session = RecordingSession(configuration) { event in
      guard case .stopped = event else { return }
      System.sleep(milliseconds: 500)
      isHandled.withLock { $0 = true }
    }
    try session.start(SyntheticSource.test(pacing: .realTime), outputs: [])
    System.sleep(milliseconds: 400)
    #expect(session.summary?.sampleCount == 4800)
    #expect(await session.end().sampleCount == 4800)
    #expect(isHandled.withLock { $0 })
    #expect(session.wait(for: .zero)?.sampleCount == 4800)
  }

  @Test func waitReturnsWhenTheEventStoppedIsHandled() throws {
    let isHandled = Lock(false)
    let session = RecordingSession(.stereo(.int16)) { event in
      guard case .stopped = event else { return }
      System.sleep(milliseconds: 500)
      isHandled.withLock { $0 = true }
    }
    try session.start(SyntheticSource.test(pacing: .realTime), outputs: [])
    session.stop()
    System.sleep(milliseconds: 200)
    #expect(session.wait(for: .milliseconds(100)) == nil)
    _ = try finalSummary(of: session)
    #expect(isHandled.withLock { $0 })
  }

  @Test(.timeLimit(.minutes(4 * TestTimeout.minutes)))
  func resumeReopensMissingDevice() async throws {
    let source = FaultySource.test(
      pacing: .realTime, faults: [.at(4800, .absence(for: .seconds(7200)))])
    let recorder = Recorder(from: source, to: [], .stereo(.int16))
    try await recorder.start()
    var summary: RecordingSummary?
    var isTaken = false
    for await event in recorder.events {
      switch event {
      case .deviceLost:
        await recorder.resume()
        isTaken = true
      case .deviceReturned: summary = await recorder.stop()
      default: break
      }
    }
    #expect(isTaken)
    let end = try #require(summary)
    #expect(end.failure == nil)
    #expect(end.sampleCount >= 4800 && end.sampleCount < 48_000 * 3600)
  }

  @Test func aSecondStartIsRefused() async throws {
    let recorder = Recorder(from: SyntheticSource.test(pacing: .realTime), to: [], .stereo(.int16))
    try await recorder.start()
    await #expect(throws: RecordingError.alreadyStarted) { try await recorder.start() }
    await recorder.stop()
  }

  @Test func stoppingWithoutAStartReturns() async {
    let recorder = Recorder(from: SyntheticSource.test(pacing: .realTime), to: [], .stereo(.int16))
    #expect(await recorder.stop() == RecordingSummary())
  }

  @Test(.realTime) func unreadPacketsAreLimited() async throws {
    let configuration = RecordingConfiguration.stereo(.int16) {
      $0.duration = .milliseconds(600_000)
    }
    let recorder = Recorder(from: SyntheticSource.test(), to: [], configuration)
    try await recorder.start()
    let summary = await recorder.end()
    #expect(summary.sampleCount == 28_800_000)
    var count = 0
    for await _ in recorder.packets { count += 1 }
    #expect(count == Recorder.packetLimit)
  }

  @Test func impossibleSettingsAreRefusedBeforeAnythingOpens() async {
    var configuration = RecordingConfiguration(sampleRate: 47_000, channelCount: 2)
    let recorder = Recorder(from: SyntheticSource.test(pacing: .realTime), to: [], configuration)
    await #expect(throws: RecordingError.encoder(.unsupportedSampleRate(47_000))) {
      try await recorder.start()
    }
    configuration.sampleRate = 44_100
    configuration.channelCount = 7
    let other = Recorder(from: SyntheticSource.test(pacing: .realTime), to: [], configuration)
    await #expect(throws: RecordingError.encoder(.unsupportedChannelCount(7))) {
      try await other.start()
    }
  }
}

@Suite(.simulated(seeds: 4, with: .all)) struct SlowOutputTests {
  /// An output that blocks on every packet, like a stalled disk, until the test releases it.
  private struct Stalled: SilentOutput {
    let name = "stalled"
    let mayGoOn: @Sendable () -> Bool
    mutating func write(_ packet: EncodedPacket) throws(OutputError) {
      guard eventually(mayGoOn) else { throw OutputError(.cannotWrite, "It was held up.") }
    }
  }

  /// The slow output resumes only when the other output has all packets.
  @Test func aSlowOutputHoldsUpNeitherCaptureNorAnotherOutput() throws {
    let store = MemoryOutput.Store()
    let configuration = RecordingConfiguration.stereo(.int16) { $0.duration = .milliseconds(400) }
    let session = RecordingSession(configuration)
    let device = HandFedSource(origin: 0)
    let stalled = Stalled { store.segments.withLock { $0.last?.end?.sampleCount == 19_200 } }
    try session.start(device, outputs: [stalled, MemoryOutput(store)])
    #expect(device.deliver(19_200))
    let summary = try finalSummary(of: session)
    #expect(summary.gapCount == 0)
    #expect(summary.failure == nil)
    let samples = store.segments.withLock { $0.flatMap(\.samples) }
    #expect(firstWrongFrame(samples, gaps: []) == nil)
    #expect(samples.count == 2 * 19_200)
  }

  /// An output that blocks on its first packet until the test releases it.
  private struct Stuck: SilentOutput {
    let name = "stuck"
    let closeTimeout = Duration.milliseconds(500)
    let release: Semaphore
    mutating func write(_ packet: EncodedPacket) throws(OutputError) {
      // Once released, it does not block again.
      if release.wait(milliseconds: 300_000) { release.signal() }
    }
  }

  private func expectTooSlow(_ session: RecordingSession) throws {
    guard case .allOutputsFailed(let error)? = try finalSummary(of: session).failure else {
      Issue.record("\(String(describing: session.summary))")
      return
    }
    #expect(error.kind == .tooSlow)
  }

  @Test func anOutputThatHangsDoesNotHangTheEnd() throws {
    let configuration = RecordingConfiguration.stereo(.int16) { $0.duration = .milliseconds(100) }
    let session = RecordingSession(configuration)
    let device = HandFedSource(origin: 0)
    let release = Semaphore()
    defer { release.signal() }
    try session.start(device, outputs: [Stuck(release: release)])
    #expect(device.deliver(4800))
    try expectTooSlow(session)
  }

  /// The source is unpaced, so the recording waits for room in the queue of the output.
  @Test func stopEndsTheWaitForAnOutputThatHangs() throws {
    let session = RecordingSession(.stereo(.float32))
    let release = Semaphore()
    defer { release.signal() }
    try session.start(
      SyntheticSource.test(),
      outputs: [Stuck(release: release)])
    #expect(eventually { session.takeStatus().sampleCount >= 1_000_000 })
    session.stop()
    try expectTooSlow(session)
  }
}
