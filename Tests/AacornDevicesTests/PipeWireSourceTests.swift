import AacornSystem
import Foundation
import SoundRigs
import Testing

@testable import AacornDevices

/// Capture from a PipeWire server that the test starts.
@Suite("PipeWire, with a server", .serialized, .tags(.smoke))
struct PipeWireSourceTests {
  private func session() throws -> PipeWireSession { try PipeWireSession() }

  private func pinned(_ id: String) -> CaptureRequest { CaptureRequest(device: .pinned(id: id)) }

  // MARK: Devices

  @Test func devicesAreListedWithTheDefaultFirst() throws {
    let session = try session()
    try session.createSource("front", description: "Front microphone")
    try session.createSource("single", channels: ["MONO"])
    try session.createSink("speaker", description: "Speaker")
    try session.setDefaultSource("single")
    var devices: [CaptureDevice] = []
    #expect(
      try eventually {
        devices = try PipeWireSystem.devices(remote: session.socket)
        return devices.first?.id == "single"
      }, "The session manager changes the default.")
    #expect(devices.map(\.id) == ["single", "front", "speaker.monitor"])
    #expect(devices.map(\.channelCount) == [1, 2, 2])
    #expect(devices.map(\.name) == ["single", "Front microphone", "Monitor of Speaker"])
    #expect(devices.allSatisfy { $0.sampleRate == 48000 && $0.backend == .pipeWire })
    #expect(devices.map(\.isDefault) == [true, false, false])
  }

  @Test func deviceWatchReportsAddedAndRemovedDevices() throws {
    let session = try session()
    let changed = Semaphore()
    let watch = PipeWireSystem.watchDevices(remote: session.socket) { changed.signal() }
    #expect(watch != nil)
    // There are no changes to report before the watch is installed.
    var count = 0
    #expect(
      try eventually {
        count += 1
        try session.createSource("mic-\(count)")
        return changed.wait(milliseconds: 1000)
      }, "A new device is reported.")
    while changed.wait(milliseconds: 300) {}
    try session.destroyNode("mic-1")
    #expect(changed.wait(milliseconds: TestTimeout.milliseconds), "A lost device is reported.")
    withExtendedLifetime(watch) {}
  }

  @Test func missingOrUnknownDeviceIsReported() throws {
    let session = try session()
    #expect(throws: CaptureError.noDevice(backend: .pipeWire)) {
      try PipeWireHarness(CaptureRequest(), session)
    }
    #expect(throws: CaptureError.unknownDevice(id: "nobody", backend: .pipeWire)) {
      try PipeWireHarness(pinned("nobody"), session)
    }
  }

  @Test func missingServerIsReported() {
    let error = #expect(throws: CaptureError.self) {
      try PipeWireSystem.checkAvailability(allowingOld: true, remote: "/nowhere/pipewire-0")
    }
    #expect(
      error
        == .noServer(backend: .pipeWire, reason: "no program listens at its socket"))
  }

  // MARK: Samples

  /// The frames in a cycle of the graph: 85 ms, which is the player's deadline for each cycle.
  private static let cycle = 4096

  /// Repeats `body` until the player was in time from the first frame to the last.
  ///
  /// While the player is late, the server delivers silence, and captured frames cannot be
  /// distinguished from lost ones. The long cycle makes that rare.
  private func playUndisturbed(
    _ harness: PipeWireHarness, _ session: PipeWireSession, _ body: () throws -> Void
  ) throws {
    try session.setCycle(frameCount: Self.cycle)
    let deadline = System.seconds + TestTimeout.seconds
    repeat {
      session.stopPlaying()
      // Frames in transit must not be mistaken for frames of the next attempt.
      #expect(harness.readSilence(), "Silence follows what was played.")
      harness.clear()
      try body()
    } while harness.isDisturbed && System.seconds < deadline
    #expect(!harness.isDisturbed, "The player was never in time.")
  }

  @Test func pipeWireCaptureDeliversEveryFrameOnceInOrder() throws {
    let session = try session()
    try session.createSource("mic")
    let frameCount = 72_000
    let file = try session.writeCounter(frameCount: frameCount)
    let harness = try PipeWireHarness(pinned("mic"), session)
    try playUndisturbed(harness, session) {
      try session.play(file, into: "mic")
      // The player's last partial cycle is not delivered.
      #expect(harness.read { _ in harness.lastCounter > frameCount - 2 * Self.cycle })
    }
    let received = harness.counters.filter { $0 != 0 }
    #expect(zip(received, received.dropFirst()).allSatisfy { $0 < $1 })
    #expect(harness.skippedCount == harness.lossSinceCounting)
    #expect(received.count + harness.lossSinceCounting > frameCount - 2 * Self.cycle)
    let blocks = harness.blocks.filter { $0.event == .samples }
    #expect(blocks.allSatisfy { $0.channelCount == 2 && $0.sampleRate == 48000 })
    #expect(zip(blocks, blocks.dropFirst()).allSatisfy { $0.time < $1.time })
    #expect(harness.source.device?.id == "mic")
  }

  @Test func pipeWireSourceRejectsSecondStartAndContinues() throws {
    let session = try session()
    try session.createSource("mic")
    let harness = try PipeWireHarness(pinned("mic"), session)
    #expect(throws: CaptureError.alreadyRunning(id: "mic")) {
      try harness.source.start(CaptureSink())
    }
    #expect(harness.readSamples(9600))
    // A stopped source restarts.
    harness.source.stop()
    let again = CaptureSink()
    try harness.source.start(again)
    var samples: [Float] = []
    #expect(eventually { again.read(into: &samples, milliseconds: 20) != nil })
  }

  @Test func lossByStalledThreadIsCountedExactly() throws {
    let session = try session()
    try session.createSource("mic")
    let file = try session.writeCounter(frameCount: 96_000)
    // New threads inherit the set of blocked signals.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGUSR2)
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    signal(SIGUSR2) { _ in usleep(300_000) }
    let before = threads
    let harness = try PipeWireHarness(pinned("mic"), session)
    let new = threads.subtracting(before)
    try playUndisturbed(harness, session) {
      try session.play(file, into: "mic")
      #expect(harness.read { _ in harness.lastCounter > 4800 })
      // Stops the data thread and other new threads, as on a machine that is too busy.
      for thread in new { sendSignal(SIGUSR2, to: thread) }
      #expect(harness.read { $0.lostFrameCount > 4800 })
      #expect(harness.readSamples())
    }
    #expect(harness.skippedCount == harness.lossSinceCounting)
    #expect(harness.lossSinceCounting > 4800)
    #expect(harness.blocks.contains { $0.lostFrameCount > 4800 && $0.lossCause == .programLate })
  }

  /// The threads of this process.
  private var threads: Set<pid_t> {
    let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
    return Set((names ?? []).compactMap { pid_t($0) })
  }

  private func sendSignal(_ number: Int32, to thread: pid_t) {
    // The C library has the function, but hides it from Swift.
    typealias Send = @convention(c) (pid_t, pid_t, Int32) -> Int32
    guard let symbol = unsafe dlsym(nil, "tgkill") else { return }
    _ = unsafe unsafeBitCast(symbol, to: Send.self)(getpid(), thread, number)
  }

  @Test func sinkMonitorCapturesPlayback() throws {
    let session = try session()
    try session.createSource("mic")
    try session.createSink("speaker")
    let file = try session.writeCounter(frameCount: 48_000)
    let harness = try PipeWireHarness(pinned("speaker.monitor"), session)
    #expect(harness.source.device?.isMonitor == true)
    try playUndisturbed(harness, session) {
      try session.play(file, into: "speaker")
      #expect(harness.read { _ in harness.lastCounter > 9600 })
    }
    #expect(harness.skippedCount == harness.lossSinceCounting)
  }

  @Test func rateAndChannelsAreWhatIsAskedFor() throws {
    let session = try session()
    try session.createSource("mic")
    var request = CaptureRequest()
    request.sampleRate = 44_100
    request.channelCount = 1
    let harness = try PipeWireHarness(request, session)
    #expect(harness.readSamples())
    let blocks = harness.blocks.filter { $0.event == .samples }
    #expect(blocks.allSatisfy { $0.sampleRate == 44_100 && $0.channelCount == 1 })
  }

  // MARK: Loss and return

  @Test func pinnedDeviceIsWaitedForAndNoOtherTaken() throws {
    let session = try session()
    try session.createSource("other")
    try session.createSource("mic")
    let harness = try PipeWireHarness(pinned("mic"), session)
    #expect(harness.readSamples())
    try session.destroyNode("mic")
    #expect(harness.readEvent(.deviceLost))
    let count = harness.samples.count
    // Time to select another device, which must not happen.
    harness.read(seconds: 0.6) { _ in false }
    #expect(harness.samples.count == count)
    try session.createSource("mic")
    #expect(harness.readEvent(.deviceReturned))
    #expect(harness.samples.count == count)
    #expect(harness.readSamples())
    #expect(harness.events == [.deviceLost, .deviceReturned])
    #expect(harness.source.device?.id == "mic")
  }

  @Test func pipeWireSourceFollowsTheDefaultDevice() throws {
    let session = try session()
    try session.createSource("first")
    let harness = try PipeWireHarness(CaptureRequest(), session)
    #expect(harness.readSamples())
    #expect(harness.source.device?.id == "first")
    try session.createSource("second")
    try session.setDefaultSource("second")
    #expect(harness.readEvent(.deviceChanged))
    #expect(harness.readSamples())
    #expect(harness.source.device?.id == "second")
    #expect(harness.events == [.deviceChanged])
  }

  @Test func lastDeviceIsWaitedFor() throws {
    let session = try session()
    try session.createSource("only")
    let harness = try PipeWireHarness(CaptureRequest(), session)
    #expect(harness.readSamples())
    try session.destroyNode("only")
    #expect(harness.readEvent(.deviceLost))
    try session.createSource("another")
    #expect(harness.readEvent(.deviceReturned))
    #expect(harness.readSamples())
    #expect(harness.events == [.deviceLost, .deviceReturned])
    #expect(harness.source.device?.id == "another")
  }

  @Test func serverThatDiesIsWaitedFor() throws {
    let session = try session()
    try session.createSource("mic")
    let harness = try PipeWireHarness(pinned("mic"), session)
    #expect(harness.readSamples())
    session.killServer()
    #expect(harness.readEvent(.deviceLost))
    try session.startServer()
    try session.createSource("mic")
    #expect(harness.readEvent(.deviceReturned))
    #expect(harness.readSamples())
    #expect(harness.events == [.deviceLost, .deviceReturned])
  }

  // MARK: Ending

  @Test func stopIsPromptInEveryState() throws {
    let session = try session()
    try session.createSource("mic")
    func stop(_ harness: PipeWireHarness) -> Double {
      let start = System.seconds
      harness.source.stop()
      return System.seconds - start
    }
    let flowing = try PipeWireHarness(pinned("mic"), session)
    let hanging = try PipeWireHarness(pinned("mic"), session)
    let lonely = try PipeWireHarness(pinned("mic"), session)
    #expect(flowing.readSamples())
    #expect(stop(flowing) < promptSeconds)
    // Everything captured has been delivered, and nothing follows it.
    flowing.readRest()
    #expect(!flowing.read(seconds: 0.2) { _ in true })

    session.suspendServer(true)
    hanging.readUntilIdle()
    #expect(stop(hanging) < promptSeconds)
    session.suspendServer(false)

    session.killServer()
    #expect(lonely.readEvent(.deviceLost))
    #expect(stop(lonely) < promptSeconds)
  }

  @Test func hungServerThrowsNoServer() throws {
    let session = try session()
    session.suspendServer(true)
    let error = #expect(throws: CaptureError.self) {
      try PipeWireSystem.devices(remote: session.socket)
    }
    #expect(error == .noServer(backend: .pipeWire, reason: "it does not answer"))
    session.suspendServer(false)
  }

  // MARK: Voice

  @Test func voiceProcessingUsesPipeWireModule() throws {
    let session = try session()
    try session.createSink("speaker")
    try session.createSource("mic")
    var request = pinned("mic")
    request.isVoiceProcessed = true
    let harness = try PipeWireHarness(request, session)
    #expect(harness.readSamples())
    #expect(harness.source.device?.id == "mic")
    #expect(harness.source.diagnostics.contains { $0.contains("Echo") })
    let name = "aacorn-voice-\(System.processNumber)"
    #expect(session.nodeNumber(name) != nil)
    // No other program can use it as a microphone.
    #expect(try PipeWireSystem.devices(remote: session.socket).allSatisfy { $0.id != name })
    try session.destroyNode("mic")
    #expect(harness.readEvent(.deviceLost))
    try session.createSource("mic")
    #expect(harness.readEvent(.deviceReturned))
    #expect(harness.readSamples())
    harness.source.stop()
    #expect(eventually { session.nodeNumber(name) == nil }, "The module goes with the source.")
  }
}
