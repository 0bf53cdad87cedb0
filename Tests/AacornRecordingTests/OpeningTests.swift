import AacornDevices
import AacornRecording
import AacornSystem
import Simulation
import SoundRigs
import Testing

/// An executor with one thread, the only thread for its tasks.
///
/// The threads of the global executor are shared with other tests, which may block them.
private final class OneThread: TaskExecutor {
  private let jobs = Lock<[UnownedJob]>([])
  private let jobSignal = Semaphore()

  func enqueue(_ job: consuming ExecutorJob) {
    let next = UnownedJob(job)
    jobs.withLock { $0.append(next) }
    jobSignal.signal()
  }

  func run() {
    while true {
      if !jobSignal.wait(milliseconds: 60_000) { continue }
      // A signal without a job means the end.
      guard let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  /// Ends the thread.
  ///
  /// All tasks must have ended.
  func end() { jobSignal.signal() }
}

@Suite(.simulated(seeds: 4, with: .all)) struct SlowOpeningTests {
  /// Delivers seconds of audio, each block as soon as there is room for it.
  private func deliver(_ seconds: Int, from source: HandFedSource) throws {
    for _ in 0..<seconds * 100 {
      try #require(eventually { source.hasRoom(for: 480) }, "The session has room.")
      #expect(source.deliver(480))
    }
  }

  /// The old device delivers five times the ring buffer's capacity while the new device opens.
  ///
  /// It delivers about as much again while it is being closed.
  @Test func switchingToADeviceThatTakesTwentySecondsToOpenLosesNoSample() throws {
    let old = HandFedSource()
    let closing = SlowSource(old, isSlowToClose: true)
    let log = RecordingLog()
    let session = log.session(.stereo(.int16))
    try session.start(closing, outputs: [])
    defer { session.stop() }
    func record(seconds: Int) {
      for _ in 0..<seconds {
        #expect(old.deliver(48_000))
        let end = old.nextFrame
        // Fewer than 1,024 frames wait for a complete packet.
        #expect(
          eventually { log.packets.reduce(0) { $0 + $1.sampleCount } > end - 1024 },
          "The session records the delivered frames.")
      }
    }
    record(seconds: 1)
    let slow = SlowSource(firstFrame: 38 * 48_000)
    session.switchSource(to: slow)
    #expect(eventually { slow.isOpening }, "The new device is being opened.")
    record(seconds: 20)
    slow.open()
    #expect(eventually { closing.isClosing }, "The old device is being closed.")
    // Both devices deliver at the same time. The first two seconds of the new device are the last
    // two of the old one.
    record(seconds: 17)
    for _ in 0..<2 {
      record(seconds: 1)
      try deliver(1, from: slow.base)
    }
    for _ in 0..<9 { try deliver(1, from: slow.base) }
    closing.close()
    #expect(
      eventually { log.contains(.deviceChanged(slow.device)) },
      "The new device takes over.")
    try deliver(1, from: slow.base)
    session.stop()
    let summary = try finalSummary(of: session)
    #expect(summary.failure == nil && summary.sampleCount == 50 * 48_000)
    #expect(summary.ledger.gaps.isEmpty)
    #expect(firstWrongFrame(log.int16, gaps: []) == nil)
  }
}

@Suite(.simulated(seeds: 4, with: .all)) struct OpeningTests {
  @Test func newerSwitchSupersedesOpeningDevice() throws {
    let run = try FedRecording(.stereo(.int16))
    let slow = SlowSource()
    run.session.switchSource(to: slow)
    #expect(eventually { slow.isOpening }, "The device is being opened.")
    let other = HandFedSource("other")
    run.session.switchSource(to: other)
    #expect(
      eventually { run.log.contains(.deviceChanged(other.device)) },
      "The newer device takes over.")
    slow.open()
    #expect(eventually { slow.stopCount == 1 }, "The first device is stopped once it is open.")
    #expect(other.deliver(4800))
    #expect(try run.stop().sampleCount == 4800)
    #expect(!run.log.contains(.deviceChanged(slow.device)))
  }

  @Test func anEndDoesNotWaitForADeviceThatIsBeingOpened() throws {
    let run = try FedRecording(.stereo(.int16))
    let slow = SlowSource()
    run.session.switchSource(to: slow)
    #expect(eventually { slow.isOpening }, "The device is being opened.")
    #expect(run.device.deliver(4800))
    #expect(try run.stop().sampleCount == 4800)
    slow.open()
    #expect(eventually { slow.stopCount == 1 }, "The device is stopped once it is open.")
  }

  /// More recorders wait for their devices than the executor has threads.
  ///
  /// If a recorder blocked the thread, the next recorder's device would never be opened.
  @Test func startingBlocksNoThreadOfTheConcurrency() throws {
    let executor = OneThread()
    let thread = try #require(WorkerThread("test") { executor.run() })
    let sources = (0..<3).map { SlowSource("\($0)") }
    let summaries = Lock<[RecordingSummary]>([])
    for source in sources {
      Task(executorPreference: executor) {
        let recorder = Recorder(from: source, to: [], .stereo(.int16))
        // The summary reports an error.
        try? await recorder.start()
        let summary = await recorder.stop()
        summaries.withLock { $0.append(summary) }
      }
    }
    #expect(eventually { sources.allSatisfy { $0.isOpening } }, "All devices are being opened.")
    for source in sources { source.open() }
    try #require(eventually { summaries.withLock { $0.count } == sources.count }, "Each one ends.")
    #expect(summaries.withLock { $0.allSatisfy { $0.failure == nil } })
    executor.end()
    thread.join()
  }

  @Test(.realTime, arguments: [false, true])
  func stopDoesNotWaitForOpeningDevice(isCanceled: Bool) async throws {
    let slow = SlowSource()
    let recorder = Recorder(from: slow, to: [], .stereo(.int16))
    let start = Task { try await recorder.start() }
    #expect(try await eventuallyYielding { slow.isOpening }, "The device is being opened.")
    if isCanceled {
      start.cancel()
    } else {
      let summary = await recorder.stop()
      #expect(summary.failure == .stopped && summary.sampleCount == 0)
    }
    await #expect(throws: RecordingError.stopped) { try await start.value }
    slow.open()
    #expect(try await eventuallyYielding { slow.stopCount > 0 }, "The open device is stopped.")
    #expect(await recorder.end().failure == .stopped)
  }

  /// A recording of a fraction of a second does not wait forever for a device that delivers
  /// nothing.
  @Test func aDeviceThatDeliversNothingEndsTheRecording() throws {
    let source = HandFedSource(origin: System.nanoseconds)
    var configuration = RecordingConfiguration.stereo(.int16)
    configuration.duration = .milliseconds(200)
    let session = RecordingSession(configuration)
    try session.start(source, outputs: [])
    let summary = try finalSummary(of: session)
    #expect(summary.sampleCount == 0)
    guard case .capture(.system(_, let id, let reason)) = summary.failure else {
      Issue.record("\(summary)")
      return
    }
    #expect(id == "test" && reason.contains("no samples"))
  }

  /// The end of the old source does not end the recording while the new source is being opened.
  @Test(arguments: [DeviceEvent.ended, .failed])
  func theEndOfTheOldDeviceWaitsForTheNewOne(notice: DeviceEvent) throws {
    let run = try FedRecording(.stereo(.int16))
    #expect(run.device.deliver(4800))
    let slow = SlowSource(firstFrame: 4800)
    run.session.switchSource(to: slow)
    #expect(eventually { slow.isOpening }, "The device is being opened.")
    run.device.notify(notice)
    slow.open()
    #expect(
      eventually { run.session.takeStatus().device?.id == "slow" }, "The new device takes over.")
    #expect(slow.base.deliver(4800))
    let summary = try run.stop()
    #expect(summary.failure == nil && summary.sampleCount == 9600)
  }

  @Test func theEndOfTheOldDeviceCountsIfTheNewOneIsRefused() throws {
    let run = try FedRecording(.stereo(.int16))
    #expect(run.device.deliver(4800))
    let slow = SlowSource(HandFedSource("slow"), error: .deviceBusy(id: "slow"))
    run.session.switchSource(to: slow)
    #expect(eventually { slow.isOpening }, "The device is being opened.")
    run.device.notify(.ended)
    slow.open()
    let summary = try finalSummary(of: run.session)
    #expect(summary.failure == nil && summary.sampleCount == 4800)
    #expect(run.log.contains(.sourceRefused(.deviceBusy(id: "slow"))))
  }

  /// A device that cannot be recorded does not discard the audio recorded before it.
  @Test func aDeviceWithoutTheWantedChannelEndsTheRecordingWithAllBeforeIt() throws {
    let old = HandFedSource()
    var configuration = RecordingConfiguration.stereo(.int16)
    configuration.channelMap = [1, 0]
    let output = MemoryOutput.Store()
    let session = RecordingSession(configuration)
    try session.start(old, outputs: [MemoryOutput(output)])
    #expect(old.deliver(4801))
    let mono = SyntheticSource.test(
      CounterSignal(sampleRate: 48_000, channelCount: 1), frames: 48_000)
    session.switchSource(to: mono)
    let summary = try finalSummary(of: session)
    #expect(summary.failure == .noSuchChannel(1, deviceHas: 1))
    #expect(summary.sampleCount == 4801)
    let segments = output.segments.withLock { $0 }
    #expect(segments.count == 1 && segments.first?.end?.sampleCount == 4801)
    #expect(segments.first?.samples.count == 2 * 4801)
  }

  @Test func switchDuringAnotherSwitchFollowsIt() throws {
    let run = try Self.closing()
    let last = HandFedSource("last", firstFrame: 9600)
    run.session.switchSource(to: last)
    System.sleep(milliseconds: 200)
    run.closing.close()
    #expect(eventually { run.log.contains(.deviceChanged(last.device)) })
    #expect(last.deliver(4800) && !run.next.isRunning)
    run.session.stop()
    try Self.expectFrames(14_400, of: run)
  }

  @Test func endDuringASwitchKeepsTheAudioOfBothDevices() throws {
    let run = try Self.closing()
    run.session.stop()
    System.sleep(milliseconds: 200)
    run.closing.close()
    try Self.expectFrames(9600, of: run)
    #expect(!run.next.isRunning)
  }

  private typealias Switch = (
    session: RecordingSession, log: RecordingLog, closing: SlowSource, next: HandFedSource
  )

  /// A recording of 4,800 frames each of a device that is being closed, and of the next device.
  private static func closing() throws -> Switch {
    let closing = SlowSource(HandFedSource(), isSlowToClose: true)
    let next = HandFedSource("next", firstFrame: 4800)
    let log = RecordingLog()
    let session = log.session(.stereo(.int16))
    try session.start(closing, outputs: [])
    #expect(closing.base.deliver(4800))
    session.switchSource(to: next)
    #expect(eventually { closing.isClosing }, "The old device is being closed.")
    #expect(next.deliver(4800))
    return (session, log, closing, next)
  }

  private static func expectFrames(_ count: Int, of run: Switch) throws {
    let summary = try finalSummary(of: run.session)
    #expect(summary.failure == nil && summary.sampleCount == count)
    #expect(firstWrongFrame(run.log.int16, gaps: []) == nil)
    #expect(run.log.count(.deviceChanged(run.next.device)) == 1)
  }

  @Test func failedStartLeavesNoFiles() throws {
    let folder = try Folder()
    let outputs = ["a.wav", "missing/b.wav"].map { FileOutput(folder.file($0), .wav) }
    let session = RecordingSession(.stereo(.int16))
    #expect(throws: RecordingError.self) {
      try session.start(HandFedSource(), outputs: outputs)
    }
    #expect(folder.names.isEmpty)
  }
}
