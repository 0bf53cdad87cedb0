import AacornDevices
import AacornRecording
import AacornSystem
import SoundRigs
import Testing

/// A device that takes as long to open, or to close, as a test wants.
private final class SlowSource: CaptureSource {
  let base: HandFedSource
  private let state = Lock((isOpening: false, isClosing: false, stopCount: 0))
  private let opens = Semaphore()
  private let closes = Semaphore()
  private let isSlowToClose: Bool
  private let isRefused: Bool

  init(_ base: HandFedSource, isSlowToClose: Bool = false, isRefused: Bool = false) {
    self.base = base
    self.isRefused = isRefused
    self.isSlowToClose = isSlowToClose
    if isSlowToClose { opens.signal() }
  }

  var device: CaptureDevice? { base.device }
  var failure: CaptureError? { nil }
  var followsClock: Bool { base.followsClock }
  var remarks: [String] { [] }
  var isOpening: Bool { state.withLock(\.isOpening) }
  var isClosing: Bool { state.withLock(\.isClosing) }
  var stopCount: Int { state.withLock(\.stopCount) }

  func open() { opens.signal() }
  func close() { closes.signal() }

  func start(_ sink: CaptureSink) throws(CaptureError) {
    state.withLock { $0.isOpening = true }
    while !opens.wait(milliseconds: 60_000) {}
    if isRefused { throw .deviceBusy(id: "slow") }
    try base.start(sink)
  }

  func stop() {
    state.withLock { $0.isClosing = true }
    if isSlowToClose { while !closes.wait(milliseconds: 60_000) {} }
    base.stop()
    state.withLock { $0.stopCount += 1 }
  }
}

private func samples48k() -> RecordingConfiguration {
  RecordingConfiguration(sampleRate: 48_000, channelCount: 2, coding: .int16)
}

/// Devices that take their time.
@Suite struct OpeningTests {
  /// Delivers seconds, each as soon as there is room for it.
  private func deliver(_ seconds: Int, from source: HandFedSource) throws {
    for _ in 0..<seconds * 100 {
      try #require(comesTrue { source.hasRoom(for: 480) }, "What was delivered is taken.")
      #expect(source.deliver(480))
    }
  }

  /// Five times what a ring holds goes by while the new device opens, and again while the old one
  /// closes.
  @Test func switchingToADeviceThatTakesTwentySecondsToOpenLosesNoSample() throws {
    let old = HandFedSource()
    let closing = SlowSource(old, isSlowToClose: true)
    let log = Lock<(samples: [Int16], events: [RecorderEvent])>(([], []))
    let session = RecordingSession(samples48k()) { event in
      log.withLock { $0.events.append(event) }
    } packets: { packet in
      log.withLock { $0.samples += packet.int16 }
    }
    try session.start(closing, outputs: [])
    defer { session.stop() }
    func hear(seconds: Int) {
      for _ in 0..<seconds {
        #expect(old.deliver(48_000))
        let end = old.nextFrame
        // What is not yet a packet is less than 1,024 frames.
        #expect(
          comesTrue { log.withLock { $0.samples.count } > 2 * (end - 1024) },
          "What was delivered is taken.")
      }
    }
    hear(seconds: 1)
    let slow = SlowSource(HandFedSource("slow", firstFrame: 38 * 48_000))
    session.switchSource(to: slow)
    #expect(comesTrue { slow.isOpening }, "The new device is being opened.")
    hear(seconds: 20)
    slow.open()
    #expect(comesTrue { closing.isClosing }, "The old device is being closed.")
    // Both deliver meanwhile: the new one's first two seconds are those that the old one has last.
    hear(seconds: 17)
    for _ in 0..<2 {
      hear(seconds: 1)
      try deliver(1, from: slow.base)
    }
    for _ in 0..<9 { try deliver(1, from: slow.base) }
    closing.close()
    #expect(
      comesTrue { log.withLock { $0.events.contains(.deviceChanged(slow.device)) } },
      "The new device takes over.")
    try deliver(1, from: slow.base)
    session.stop()
    let summary = try conclusion(of: session)
    #expect(summary.failure == nil && summary.sampleCount == 50 * 48_000)
    #expect(summary.ledger.gaps.isEmpty)
    #expect(firstWrongFrame(log.withLock(\.samples), gaps: []) == nil)
  }

  @Test func aNewerWishReplacesADeviceThatIsStillBeingOpened() throws {
    let first = HandFedSource()
    let events = Lock<[RecorderEvent]>([])
    let session = RecordingSession(samples48k()) { event in events.withLock { $0.append(event) } }
    try session.start(first, outputs: [])
    defer { session.stop() }
    let slow = SlowSource(HandFedSource("slow"))
    session.switchSource(to: slow)
    #expect(comesTrue { slow.isOpening }, "It is being opened.")
    let other = HandFedSource("other")
    session.switchSource(to: other)
    #expect(
      comesTrue { events.withLock { $0.contains(.deviceChanged(other.device)) } },
      "The newer one takes over.")
    slow.open()
    #expect(comesTrue { slow.stopCount == 1 }, "The other one is stopped once it is open.")
    #expect(other.deliver(4800))
    session.stop()
    #expect(try conclusion(of: session).sampleCount == 4800)
    #expect(events.withLock { !$0.contains(.deviceChanged(slow.device)) })
  }

  @Test func anEndDoesNotWaitForADeviceThatIsBeingOpened() throws {
    let first = HandFedSource()
    let session = RecordingSession(samples48k())
    try session.start(first, outputs: [])
    let slow = SlowSource(HandFedSource("slow"))
    session.switchSource(to: slow)
    #expect(comesTrue { slow.isOpening }, "It is being opened.")
    #expect(first.deliver(4800))
    session.stop()
    #expect(try conclusion(of: session).sampleCount == 4800)
    slow.open()
    #expect(comesTrue { slow.stopCount == 1 }, "It is stopped once it is open.")
  }

  /// More recorders than Swift's concurrency has threads wait for their devices, and a task that has
  /// nothing to do with them goes on.
  @Test func startingBlocksNoThreadOfTheConcurrency() async throws {
    let count = 2 * System.coreCount + 2
    let sources = (0..<count).map { SlowSource(HandFedSource("\($0)")) }
    let isForced = Lock(false)
    let isOver = Semaphore()
    // Were all threads blocked, nothing but a thread of its own could end this.
    let hasThread = System.startThread {
      if isOver.wait(milliseconds: 120_000) { return }
      isForced.withLock { $0 = true }
      for source in sources { source.open() }
    }
    try #require(hasThread)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for source in sources {
        group.addTask {
          let recorder = Recorder(from: source, to: [], samples48k())
          try await recorder.start()
          #expect(await recorder.stop().failure == nil)
        }
      }
      for source in sources {
        while !source.isOpening { try await Task.sleep(for: .milliseconds(1)) }
      }
      #expect(!isForced.withLock { $0 }, "All of them wait, and this task goes on.")
      isOver.signal()
      for source in sources { source.open() }
      try await group.waitForAll()
    }
  }

  @Test(arguments: [false, true])
  func whoStopsDoesNotWaitForTheDevice(isCanceled: Bool) async throws {
    let slow = SlowSource(HandFedSource("slow"))
    let recorder = Recorder(from: slow, to: [], samples48k())
    let start = Task { try await recorder.start() }
    while !slow.isOpening { try await Task.sleep(for: .milliseconds(1)) }
    if isCanceled {
      start.cancel()
    } else {
      let summary = await recorder.stop()
      #expect(summary.failure == .stopped && summary.sampleCount == 0)
    }
    await #expect(throws: RecordingError.stopped) { try await start.value }
    slow.open()
    while slow.stopCount == 0 { try await Task.sleep(for: .milliseconds(1)) }
    #expect(await recorder.end().failure == .stopped)
  }

  /// A recording of a fraction of a second does not wait for ever for a device that is mute.
  @Test func aDeviceThatDeliversNothingEndsTheRecording() throws {
    let source = HandFedSource(origin: System.nanoseconds)
    var configuration = samples48k()
    configuration.duration = .milliseconds(200)
    let session = RecordingSession(configuration)
    try session.start(source, outputs: [])
    let summary = try conclusion(of: session)
    #expect(summary.sampleCount == 0)
    guard case .capture(.system(_, let id, let reason)) = summary.failure else {
      Issue.record("\(summary)")
      return
    }
    #expect(id == "test" && reason.contains("no samples"))
  }

  /// A source that ends while the one after it is being opened does not end the recording.
  @Test(arguments: [CaptureNotice.ended, .failed])
  func theEndOfTheOldDeviceWaitsForTheNewOne(notice: CaptureNotice) throws {
    let old = HandFedSource()
    let session = RecordingSession(samples48k())
    try session.start(old, outputs: [])
    #expect(old.deliver(4800))
    let slow = SlowSource(HandFedSource("slow", firstFrame: 4800))
    session.switchSource(to: slow)
    #expect(comesTrue { slow.isOpening }, "It is being opened.")
    old.notify(notice)
    slow.open()
    #expect(comesTrue { session.takeStatus().device?.id == "slow" }, "It takes over.")
    #expect(slow.base.deliver(4800))
    session.stop()
    let summary = try conclusion(of: session)
    #expect(summary.failure == nil && summary.sampleCount == 9600)
  }

  @Test func theEndOfTheOldDeviceCountsIfTheNewOneIsRefused() throws {
    let old = HandFedSource()
    let events = Lock<[RecorderEvent]>([])
    let session = RecordingSession(samples48k()) { event in events.withLock { $0.append(event) } }
    try session.start(old, outputs: [])
    #expect(old.deliver(4800))
    let slow = SlowSource(HandFedSource("slow"), isRefused: true)
    session.switchSource(to: slow)
    #expect(comesTrue { slow.isOpening }, "It is being opened.")
    old.notify(.ended)
    slow.open()
    let summary = try conclusion(of: session)
    #expect(summary.failure == nil && summary.sampleCount == 4800)
    #expect(events.withLock { $0.contains(.sourceRefused(.deviceBusy(id: "slow"))) })
  }

  /// What cannot be recorded does not take away what was.
  @Test func aDeviceWithoutTheWantedChannelEndsTheRecordingWithAllBeforeIt() throws {
    let old = HandFedSource()
    var configuration = samples48k()
    configuration.channelMap = [1, 0]
    let output = MemoryOutput.Store()
    let session = RecordingSession(configuration)
    try session.start(old, outputs: [MemoryOutput(output)])
    #expect(old.deliver(4801))
    let mono = SyntheticSource(
      CaptureDevice(backend: .synthetic, id: "mono", name: "Mono"),
      playing: SyntheticExcerpt(
        of: CounterSignal(sampleRate: 48_000, channelCount: 1), frameCount: 48_000),
      pacing: .unpaced)
    session.switchSource(to: mono)
    let summary = try conclusion(of: session)
    #expect(summary.failure == .noSuchChannel(1, deviceHas: 1))
    #expect(summary.sampleCount == 4801)
    let segments = output.segments.withLock { $0 }
    #expect(segments.count == 1 && segments.first?.end?.sampleCount == 4801)
    #expect(segments.first?.samples.count == 2 * 4801)
  }
}
