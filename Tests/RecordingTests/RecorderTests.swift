import AACCodec
import AudioCapture
import PCM
import Platform
import Recording
import Testing

/// A device in real time, and its recording as samples.
private func device(_ pacing: SyntheticSource.Pacing = .realTime) -> SyntheticSource {
  SyntheticSource(
    CaptureDevice(backend: .synthetic, id: "test", name: "Test"),
    playing: CounterSignal(sampleRate: 48_000, channelCount: 2), pacing: pacing)
}

private func samples48k() -> RecordingConfiguration {
  RecordingConfiguration(sampleRate: 48_000, channelCount: 2, coding: .int16)
}

/// A recording that is controlled while it runs, on a thread that does not wait for other tests.
@Suite(.serialized) struct ControlTests {
  private struct Outcome {
    var summary = RecordingSummary()
    var samples: [Int16] = []
    var gaps: [Gap] = []
    var events: [RecorderEvent] = []
  }

  private func record(
    _ configuration: RecordingConfiguration = samples48k(),
    _ control: (RecordingSession) -> Void
  ) throws -> Outcome {
    let log = Lock<(samples: [Int16], events: [RecorderEvent])>(([], []))
    let session = RecordingSession(configuration) { event in
      log.withLock { $0.events.append(event) }
    } packets: { packet in
      log.withLock { $0.samples += packet.int16 }
    }
    try session.start(device(), outputs: [])
    control(session)
    session.stop()
    while session.summary == nil { _ = session.waitForEnd(milliseconds: 1000) }
    var outcome = Outcome()
    outcome.summary = try #require(session.summary)
    (outcome.samples, outcome.events) = log.withLock { $0 }
    outcome.gaps = outcome.events.compactMap { event in
      if case .gap(let gap) = event { gap } else { nil }
    }
    return outcome
  }

  @Test func stoppingInTheFirstFrameKeepsWhatCame() throws {
    let outcome = try record { session in
      while session.takeStatus().sampleCount == 0 { System.sleep(milliseconds: 1) }
    }
    #expect(outcome.samples.count == 2 * outcome.summary.sampleCount)
    #expect(outcome.summary.sampleCount > 0)
    #expect(firstWrongFrame(outcome.samples, gaps: outcome.gaps) == nil)
  }

  @Test func whatSoundsInAPauseIsLeftOutAndNoted() throws {
    let outcome = try record { session in
      System.sleep(milliseconds: 200)
      session.setPaused(true)
      System.sleep(milliseconds: 300)
      session.setPaused(false)
      System.sleep(milliseconds: 200)
    }
    let gap = try #require(outcome.gaps.first { $0.cause == .paused })
    #expect(gap.length == outcome.summary.pausedSampleCount)
    #expect(gap.length > 4800)
    // Up to the pause the counter is at its place, after it exactly the pause further on.
    let cut = 2 * gap.position
    #expect(firstWrongFrame(Array(outcome.samples[..<cut]), gaps: []) == nil)
    #expect(
      firstWrongFrame(
        Array(outcome.samples[cut...]), gaps: [], from: gap.position + gap.length) == nil)
  }

  @Test func mutedSoundIsSilenceAndTimeGoesOn() throws {
    var configuration = samples48k()
    configuration.isMuted = true
    let outcome = try record(configuration) { session in
      System.sleep(milliseconds: 300)
      session.setMuted(false)
      System.sleep(milliseconds: 300)
    }
    let heard = try #require(outcome.samples.firstIndex { $0 != 0 })
    #expect(heard > 2 * 4800)
    // After the ramp of one block the counter is where it would have been without the muting.
    let first = outcome.samples.count / 2 - 4800
    #expect(firstWrongFrame(Array(outcome.samples[(2 * first)...]), gaps: [], from: first) == nil)
  }

  @Test func anotherSourceTakesOverWithoutALostOrRepeatedMoment() throws {
    let outcome = try record { session in
      System.sleep(milliseconds: 300)
      session.switchSource(to: device())
      System.sleep(milliseconds: 500)
    }
    #expect(outcome.summary.failure == nil)
    let changes = outcome.events.filter { event in
      if case .deviceChanged = event { true } else { false }
    }
    #expect(changes.count == 1)
    #expect(outcome.gaps.reduce(0) { $0 + $1.length } < 4800)
  }

  @Test func aSourceThatCannotBeOpenedDoesNotReplaceTheOldOne() throws {
    let outcome = try record { session in
      System.sleep(milliseconds: 100)
      session.switchSource(to: BrokenSource())
      System.sleep(milliseconds: 200)
    }
    #expect(outcome.summary.failure == nil)
    #expect(outcome.events.contains(.sourceRefused(.noDevice(backend: .alsa))))
    #expect(firstWrongFrame(outcome.samples, gaps: outcome.gaps) == nil)
  }
}

@Suite struct RecorderTests {
  @Test func packetsAndEventsComeInOrder() async throws {
    var configuration = samples48k()
    configuration.milliseconds = 1000
    let recorder = Recorder(from: device(), to: [], configuration)
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

  @Test func aSecondStartIsRefused() async throws {
    let recorder = Recorder(from: device(), to: [], samples48k())
    try await recorder.start()
    await #expect(throws: RecordingError.alreadyStarted) { try await recorder.start() }
    await recorder.stop()
  }

  @Test func stoppingWithoutAStartReturns() async {
    let recorder = Recorder(from: device(), to: [], samples48k())
    #expect(await recorder.stop() == RecordingSummary())
  }

  @Test func nobodyListeningCostsNoMemory() async throws {
    var configuration = samples48k()
    configuration.milliseconds = 600_000
    let recorder = Recorder(from: device(.unpaced), to: [], configuration)
    try await recorder.start()
    let summary = await recorder.end()
    #expect(summary.sampleCount == 28_800_000)
    var count = 0
    for await _ in recorder.packets { count += 1 }
    #expect(count == Recorder.packetLimit)
  }

  @Test func impossibleSettingsAreRefusedBeforeAnythingOpens() async {
    var configuration = RecordingConfiguration(sampleRate: 47_000, channelCount: 2)
    let recorder = Recorder(from: device(), to: [], configuration)
    await #expect(throws: RecordingError.encoder(.unsupportedSampleRate(47_000))) {
      try await recorder.start()
    }
    configuration.sampleRate = 44_100
    configuration.channelCount = 7
    let other = Recorder(from: device(), to: [], configuration)
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
  /// An output that takes a tenth of a second for every packet.
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

  /// An output that never comes back from its first packet.
  private struct Stuck: PacketOutput {
    let name = "stuck"
    let byteCount = 0
    mutating func open() throws(OutputError) {}
    mutating func begin(_ segment: SegmentStart) throws(OutputError) {}
    mutating func write(_ packet: Packet) throws(OutputError) {
      System.sleep(milliseconds: 60_000)
    }
    mutating func note(_ gap: Gap) throws(OutputError) {}
    mutating func end(_ end: SegmentEnd) throws(OutputError) -> OutputSummary? { nil }
    mutating func abandon() -> OutputSummary? { nil }
  }

  @Test func anOutputThatHangsDoesNotHangTheEnd() throws {
    var configuration = RecordingConfiguration(sampleRate: 48_000, channelCount: 2, coding: .int16)
    configuration.milliseconds = 100
    let session = RecordingSession(configuration)
    try session.start(
      SyntheticSource(
        CaptureDevice(backend: .synthetic, id: "test", name: "Test"),
        playing: CounterSignal(sampleRate: 48_000, channelCount: 2)),
      outputs: [Stuck()])
    for _ in 0..<40 where session.summary == nil { _ = session.waitForEnd(milliseconds: 1000) }
    guard case .allOutputsFailed(let error)? = session.summary?.failure else {
      Issue.record("\(String(describing: session.summary))")
      return
    }
    #expect(error.kind == .tooSlow)
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
