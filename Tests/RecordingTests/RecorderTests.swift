import AACCodec
import AudioCapture
import PCM
import Recording
import Synchronization
import Testing

@Suite struct RecorderTests {
  private func source(_ pacing: SyntheticSource.Pacing = .realTime) -> SyntheticSource {
    SyntheticSource(
      CaptureDevice(backend: .synthetic, id: "test", name: "Test"),
      playing: CounterSignal(sampleRate: 48_000, channelCount: 2), pacing: pacing)
  }

  private func configuration() -> RecordingConfiguration {
    RecordingConfiguration(sampleRate: 48_000, channelCount: 2, coding: .int16)
  }

  @Test func packetsAndEventsComeWhileItRuns() async throws {
    let recorder = Recorder(from: source(), to: [], configuration())
    try await recorder.start()
    var packets = recorder.packets.makeAsyncIterator()
    for index in 0..<5 {
      let packet = try #require(await packets.next())
      #expect(packet.position == index * 1024)
    }
    let summary = await recorder.stop()
    #expect(summary.sampleCount > 5 * 1024)
    var isStopped = false
    for await event in recorder.events {
      if case .stopped = event { isStopped = true }
    }
    #expect(isStopped)
  }

  @Test func stoppingInTheFirstFrameKeepsWhatCame() async throws {
    let recorder = Recorder(from: source(), to: [], configuration())
    try await recorder.start()
    while await recorder.takeStatus().sampleCount == 0 { await Task.yield() }
    let summary = await recorder.stop()
    var count = 0
    for await packet in recorder.packets { count += packet.sampleCount }
    #expect(count == summary.sampleCount)
    #expect(count > 0)
  }

  @Test func whatSoundsInAPauseIsLeftOutAndNoted() async throws {
    let recorder = Recorder(from: source(), to: [], configuration())
    try await recorder.start()
    try await Task.sleep(for: .milliseconds(200))
    await recorder.pause()
    try await Task.sleep(for: .milliseconds(300))
    await recorder.resume()
    try await Task.sleep(for: .milliseconds(200))
    let summary = await recorder.stop()
    #expect(summary.pausedSampleCount > 0)
    var samples: [Int16] = []
    for await packet in recorder.packets { samples += packet.int16 }
    var pause: Gap?
    for await event in recorder.events {
      if case .gap(let gap) = event { pause = gap }
    }
    let gap = try #require(pause)
    #expect(gap.cause == .paused)
    #expect(gap.length == summary.pausedSampleCount)
    // Up to the pause the counter is at its place, after it exactly the pause further on.
    #expect(firstWrongFrame(Array(samples[..<(2 * gap.position)]), gaps: []) == nil)
    #expect(
      firstWrongFrame(
        Array(samples[(2 * gap.position)...]), gaps: [], from: gap.position + gap.length) == nil)
  }

  @Test func mutedSoundIsSilenceAndTimeGoesOn() async throws {
    var muted = configuration()
    muted.isMuted = true
    let recorder = Recorder(from: source(), to: [], muted)
    try await recorder.start()
    try await Task.sleep(for: .milliseconds(300))
    await recorder.setMuted(false)
    try await Task.sleep(for: .milliseconds(300))
    await recorder.stop()
    var samples: [Int16] = []
    for await packet in recorder.packets { samples += packet.int16 }
    let heard = try #require(samples.firstIndex { $0 != 0 })
    #expect(heard > 2 * 4800)
    // After the ramp of one block the counter is where it would have been without the muting.
    let first = (samples.count / 2 - 4800)
    #expect(firstWrongFrame(Array(samples[(2 * first)...]), gaps: [], from: first) == nil)
  }

  @Test func anotherSourceTakesOverWithoutALostOrRepeatedMoment() async throws {
    let recorder = Recorder(from: source(), to: [], configuration())
    try await recorder.start()
    try await Task.sleep(for: .milliseconds(300))
    await recorder.switchSource(to: source())
    try await Task.sleep(for: .milliseconds(500))
    let status = await recorder.takeStatus()
    let summary = await recorder.stop()
    #expect(status.sampleCount > 0)
    #expect(summary.failure == nil)
    var changes = 0
    var lost = 0
    for await event in recorder.events {
      if case .deviceChanged = event { changes += 1 }
      if case .gap(let gap) = event { lost += gap.length }
    }
    #expect(changes == 1)
    #expect(lost < 4800)
  }

  @Test func aSecondStartIsRefused() async throws {
    let recorder = Recorder(from: source(), to: [], configuration())
    try await recorder.start()
    await #expect(throws: RecordingError.alreadyStarted) { try await recorder.start() }
    await recorder.stop()
  }

  @Test func stoppingWithoutAStartReturns() async {
    let recorder = Recorder(from: source(), to: [], configuration())
    #expect(await recorder.stop() == RecordingSummary())
  }

  @Test func nobodyListeningCostsNoMemory() async throws {
    var configuration = configuration()
    configuration.milliseconds = 600_000
    let recorder = Recorder(from: source(.unpaced), to: [], configuration)
    try await recorder.start()
    let summary = await recorder.end()
    #expect(summary.sampleCount == 28_800_000)
    var count = 0
    for await _ in recorder.packets { count += 1 }
    #expect(count == Recorder.packetLimit)
  }

  @Test func impossibleSettingsAreRefusedBeforeAnythingOpens() async {
    var configuration = RecordingConfiguration(sampleRate: 47_000, channelCount: 2)
    let recorder = Recorder(from: source(), to: [], configuration)
    await #expect(throws: RecordingError.encoder(.unsupportedSampleRate(47_000))) {
      try await recorder.start()
    }
    configuration.sampleRate = 44_100
    configuration.channelCount = 7
    let other = Recorder(from: source(), to: [], configuration)
    await #expect(throws: RecordingError.encoder(.unsupportedChannelCount(7))) {
      try await other.start()
    }
  }
}

extension Packet {
  /// The samples of a packet of 16-bit integers.
  var int16: [Int16] {
    stride(from: 0, to: bytes.count - 1, by: 2).map { index in
      Int16(bitPattern: UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8)
    }
  }
}

@Suite struct SlowOutputTests {
  /// An output that takes half a second for every packet.
  private struct Sluggish: PacketOutput {
    let name = "sluggish"
    let byteCount = 0
    mutating func open() throws(OutputError) {}
    mutating func begin(_ segment: SegmentStart) throws(OutputError) {}
    mutating func write(_ packet: Packet) throws(OutputError) {
      // Waits longer than the sound lasts, as a stalled disk would.
      let start = ContinuousClock.now
      while ContinuousClock.now - start < .milliseconds(100) {}
    }
    mutating func note(_ gap: Gap) throws(OutputError) {}
    mutating func end(_ end: SegmentEnd) throws(OutputError) -> OutputSummary? { nil }
    mutating func abandon() -> OutputSummary? { nil }
  }

  /// An output that fails with its third packet.
  private struct Failing: PacketOutput {
    let name = "failing"
    let byteCount = 0
    var count = 0
    mutating func open() throws(OutputError) {}
    mutating func begin(_ segment: SegmentStart) throws(OutputError) {}
    mutating func write(_ packet: Packet) throws(OutputError) {
      count += 1
      if count == 3 { throw OutputError(.cannotWrite, "No more.") }
    }
    mutating func note(_ gap: Gap) throws(OutputError) {}
    mutating func end(_ end: SegmentEnd) throws(OutputError) -> OutputSummary? { nil }
    mutating func abandon() -> OutputSummary? { nil }
  }

  @Test func aSlowOutputHoldsUpNeitherCaptureNorAnotherOutput() throws {
    let store = MemoryOutput.Store()
    var configuration = RecordingConfiguration(sampleRate: 48_000, channelCount: 2, coding: .int16)
    configuration.milliseconds = 400
    let session = RecordingSession(configuration)
    try session.start(
      SyntheticSource(
        CaptureDevice(backend: .synthetic, id: "test", name: "Test"),
        playing: CounterSignal(sampleRate: 48_000, channelCount: 2)),
      outputs: [Sluggish(), MemoryOutput(store)])
    while session.summary == nil { _ = session.waitForEnd(milliseconds: 1000) }
    let summary = try #require(session.summary)
    #expect(summary.gapCount == 0)
    let samples = store.segments.withLock { $0.flatMap(\.samples) }
    #expect(firstWrongFrame(samples, gaps: []) == nil)
    #expect(samples.count == 2 * 19_200)
  }

  @Test func anOutputThatFailsLeavesTheOthersAlone() throws {
    let store = MemoryOutput.Store()
    var configuration = RecordingConfiguration(sampleRate: 48_000, channelCount: 2, coding: .int16)
    configuration.milliseconds = 1000
    let session = RecordingSession(configuration)
    try session.start(
      SyntheticSource(
        CaptureDevice(backend: .synthetic, id: "test", name: "Test"),
        playing: CounterSignal(sampleRate: 48_000, channelCount: 2), pacing: .unpaced),
      outputs: [Failing(), MemoryOutput(store)])
    while session.summary == nil { _ = session.waitForEnd(milliseconds: 1000) }
    #expect(session.summary?.failure == nil)
    #expect(store.segments.withLock { $0.flatMap(\.samples) }.count == 2 * 48_000)
  }

  @Test func aRecordingWhoseOnlyOutputFailsEnds() throws {
    let session = RecordingSession(
      RecordingConfiguration(sampleRate: 48_000, channelCount: 2, coding: .int16))
    try session.start(
      SyntheticSource(
        CaptureDevice(backend: .synthetic, id: "test", name: "Test"),
        playing: CounterSignal(sampleRate: 48_000, channelCount: 2), pacing: .unpaced),
      outputs: [Failing()])
    while session.summary == nil { _ = session.waitForEnd(milliseconds: 1000) }
    #expect(session.summary?.failure == .allOutputsFailed(OutputError(.cannotWrite, "No more.")))
  }
}
