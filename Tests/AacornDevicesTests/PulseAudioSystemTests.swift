#if os(Linux)
import AacornSystem
import CAacornPulseAudio
import Simulation
import Testing

@testable import AacornDevices

/// The list of devices, rejected requests and the echo canceler, on a simulated server.
@Suite(.simulated(seeds: 6), .needsSimulation)
struct PulseAudioSystemTests {
  private static let library = SimulatedPulse.library
  private static let nowhere = "pulse:"

  private static func source(
    _ server: SimulatedPulse, _ request: CaptureRequest = CaptureRequest()
  ) throws -> PulseAudioSource {
    try PulseAudioSource(request, server: server.address, library)
  }

  private static func target(
    _ server: SimulatedPulse, _ request: PlaybackRequest = PlaybackRequest()
  ) throws -> PulseAudioTarget {
    try PulseAudioTarget(request, server: server.address, library)
  }

  @Test func devicesAreListedWithTheDefaultFirst() throws {
    let server = SimulatedPulse { server in
      server.add(.init("speaker", rate: 44_100, channels: 6, isSink: true))
      server.add(.init("phones", channels: 1, isSink: true))
      server.add(.init("mic", channels: 2))
      server.add(.init("other", rate: 16_000))
    }
    server.setDefault("other")
    server.setDefault("phones")
    let sources = try PulseAudioSystem.devices(for: .capture, server: server.address, Self.library)
    #expect(sources.map(\.id) == ["other", "mic", "speaker.monitor", "phones.monitor"])
    #expect(sources.map(\.isDefault) == [true, false, false, false])
    #expect(sources.map(\.isMonitor) == [false, false, true, true])
    #expect(sources.map(\.channelCount) == [1, 2, 6, 1])
    #expect(sources.map(\.name) == ["An input", "An input", "speaker.monitor", "phones.monitor"])
    #expect(
      sources.map(\.details) == ["", "", "audio played on speaker", "audio played on phones"])
    #expect(sources.map(\.sampleRate) == [16_000, 1000, 44_100, 1000])
    let sinks = try PulseAudioSystem.devices(
      for: .playback, server: server.address, Self.library)
    #expect(sinks.map(\.id) == ["phones", "speaker"])
    #expect(sinks.map(\.isDefault) == [true, false])
    #expect(sinks.map(\.channelCount) == [1, 6])
    #expect(sinks.allSatisfy { $0.name == "An output" && $0.backend == .pulseAudio })
  }

  @Test func sourcesThatCannotStartSayWhy() throws {
    let sink = CaptureSink(sampleCapacity: 100)
    let refused = DeviceError.noServer(backend: .pulseAudio, reason: "connection refused")
    #expect(throws: refused) {
      try PulseAudioSource(CaptureRequest(), server: Self.nowhere, Self.library).start(sink)
    }
    #expect(throws: refused) {
      try PulseAudioSystem.devices(for: .capture, server: Self.nowhere, Self.library)
    }
    let server = SimulatedPulse { $0.add(.init("mic")) }
    #expect(throws: DeviceError.unknownDevice(id: "missing", backend: .pulseAudio)) {
      try Self.source(server, CaptureRequest(device: .pinned(id: "missing"))).start(sink)
    }
    let empty = SimulatedPulse()
    #expect(throws: DeviceError.noDevice(for: .capture, backend: .pulseAudio)) {
      try Self.source(empty).start(sink)
    }
    for request in [CaptureRequest(sampleRate: 0), CaptureRequest(channelCount: 33)] {
      #expect(throws: DeviceError.self) { try Self.source(server, request).start(sink) }
    }
    for (number, error) in [
      (1, DeviceError.permissionDenied(id: "default")), (26, .deviceBusy(id: "default")),
      (3, .unsupportedFormat(id: "default", reason: "other error")),
    ] as [(Int32, DeviceError)] {
      server.rejections["connect"] = number
      #expect(throws: error) { try Self.source(server).start(sink) }
    }
  }

  @Test func targetsThatCannotStartSayWhy() throws {
    let feed = PlaybackFeed(PlaybackFormat(sampleRate: 1000, channelCount: 2), frameCapacity: 64)
    let nowhere = try PulseAudioTarget(PlaybackRequest(), server: Self.nowhere, Self.library)
    let refused = DeviceError.noServer(backend: .pulseAudio, reason: "connection refused")
    #expect(throws: refused) { try nowhere.start(feed) }
    #expect(throws: refused) { try nowhere.preferredFormat() }
    let server = SimulatedPulse { $0.add(.init("speaker", isSink: true)) }
    #expect(throws: DeviceError.unknownDevice(id: "missing", backend: .pulseAudio)) {
      try Self.target(server, PlaybackRequest(device: .pinned(id: "missing"))).start(feed)
    }
    for format in [
      PlaybackFormat(sampleRate: 400_000, channelCount: 2),
      PlaybackFormat(sampleRate: 48_000, channelCount: 33),
    ] {
      #expect(throws: DeviceError.self) {
        try Self.target(server).start(PlaybackFeed(format, frameCapacity: 64))
      }
    }
    let empty = SimulatedPulse()
    #expect(throws: DeviceError.noDevice(for: .playback, backend: .pulseAudio)) {
      try Self.target(empty).start(feed)
    }
    #expect(
      try PulseAudioSystem.devices(for: .playback, server: empty.address, Self.library).isEmpty)
  }

  @Test func aServerThatHangsIsGivenUp() throws {
    let server = SimulatedPulse { $0.add(.init("mic")) }
    server.freeze()
    let error = DeviceError.noServer(backend: .pulseAudio, reason: "it does not respond")
    let start = System.seconds
    #expect(throws: error) {
      try PulseAudioSystem.devices(for: .capture, server: server.address, Self.library)
    }
    #expect(abs(System.seconds - start - 5) < 0.001)
    #expect(throws: error) { try Self.source(server).start(CaptureSink(sampleCapacity: 100)) }
    #expect(abs(System.seconds - start - 10) < 0.002)
  }

  /// A start ends after five seconds, or when it is stopped.
  @Test(arguments: ["info", "describe", "connect"], [false, true])
  func startIsGivenUpIfTheServerHangsDuringIt(step: String, isStopped: Bool) throws {
    let server = SimulatedPulse { $0.add(.init("mic")) }
    server.hangingRequest = step
    let isPinned = step != "info"
    let source = try Self.source(
      server, CaptureRequest(device: isPinned ? .pinned(id: "mic") : .followingDefault))
    let stopper = try #require(
      WorkerThread("test") {
        System.sleep(milliseconds: 1000)
        if isStopped { source.stop() }
      })
    let error: DeviceError =
      isStopped
      ? .system(
        operation: "open", id: isPinned ? "mic" : "default", reason: "the operation was canceled")
      : .noServer(backend: .pulseAudio, reason: "it does not respond")
    let seconds = isStopped ? 1.0 : 5
    expectDuration(seconds...seconds + 0.001) {
      #expect(throws: error) { try source.start(CaptureSink(sampleCapacity: 100)) }
    }
    stopper.join()
  }

  @Test func startIsGivenUpIfTheLibraryHangs() throws {
    let server = SimulatedPulse { $0.add(.init("mic")) }
    server.stallMilliseconds = 30_000
    let source = try Self.source(server)
    expectDuration(20.95...20.951) {
      #expect(throws: DeviceError.noServer(backend: .pulseAudio, reason: "it does not respond")) {
        try source.start(CaptureSink(sampleCapacity: 100))
      }
    }
    System.sleep(milliseconds: 10_000)
  }

  @Test func brokenLoopPausesFor10Milliseconds() throws {
    var functions = Self.library.functions.pointee
    functions.mainloop_poll = { _ in -1 }
    try withUnsafePointer(to: functions) { functions in
      let loop = try PulseLoop(PulseLibrary(functions: functions))
      expectDuration(0.01...0.0101) { loop.turn(until: System.nanoseconds + 1_000_000_000) }
    }
  }

  @Test func pulseDeviceWatchReportsChanges() throws {
    let server = SimulatedPulse { $0.add(.init("mic")) }
    let changes = Atomic(0)
    func expectChange(within milliseconds: Int, sourceLocation: SourceLocation = #_sourceLocation) {
      System.sleep(milliseconds: milliseconds)
      #expect(changes.exchange(0) > 0, sourceLocation: sourceLocation)
    }
    let watch = Lock(
      PulseAudioSystem.watchDevices(server: server.address, library: Self.library) {
        _ = changes.add(1)
      })
    // Devices may have changed before the server reports changes.
    expectChange(within: 100)
    server.add(.init("other"))
    expectChange(within: 10)
    server.setDefault("other")
    expectChange(within: 10)
    server.remove("other")
    expectChange(within: 10)
    server.kill()
    expectChange(within: 10)
    let count = server.connectionCount
    System.sleep(milliseconds: 10_000)
    #expect(server.connectionCount == count + 1)
    server.restart()
    expectChange(within: 30_000)
    let start = System.seconds
    watch.withLock { $0 = nil }
    #expect(System.seconds - start < 0.001)
    server.add(.init("other"))
    System.sleep(milliseconds: 100)
    #expect(changes.load(ordering: .relaxed) == 0)
  }

  @Test func callbacksComeInTheOrderOfARealServer() throws {
    let server = SimulatedPulse { server in
      server.add(.init("one", rate: 48_000, isSink: true))
      server.add(.init("two", rate: 48_000, isSink: true))
    }
    let order = try PulseTrace.record(
      Self.library,
      PulseTrace.Server(
        address: server.address, suspend: { server.suspend("one", $0) },
        makeTwoDefault: { server.setDefault("two.monitor") },
        unplugBoth: {
          server.remove("one")
          server.remove("two")
        }, plugInOne: { server.add(.init("one", rate: 48_000, isSink: true)) },
        kill: { server.kill() }))
    #expect(order == PulseTrace.expected)
  }

  /// The query for the new device's name is repeated after a second.
  @Test func moveIsReportedAfterTheServerHung() throws {
    let run = try PulseRun(reading: 0.5) { server in
      server.add(.init("one"))
      server.add(.init("two"))
    }
    run.server.hangingRequest = "describe"
    run.server.setDefault("two")
    run.read(seconds: 1.5)
    #expect(run.events.isEmpty && run.source.device?.id == "one")
    run.server.hangingRequest = nil
    run.server.thaw()
    try run.expect(.deviceChanged, within: 0.05)
    #expect(run.source.device?.id == "two")
    run.read(seconds: 0.5)
    run.stop()
    run.expectExactFrames()
  }

  @Test func holeHasItsDurationWithoutReportsOfTheServer() throws {
    let run = try PulseRun { server in
      server.rejections["timing"] = 19
      server.add(.init("mic"))
    }
    run.read(seconds: 0.5)
    run.server.device("mic")?.holeFrameCount = 300
    run.read(seconds: 1.5)
    run.stop()
    let index = try #require(run.blocks.firstIndex { $0.lostFrameCount > 0 })
    #expect(run.blocks[index].time - run.blocks[index - 1].end == 300_000_000)
  }

  // MARK: Voice processing

  private static let voice = CaptureRequest(isVoiceProcessed: true)

  @Test func theModuleIsLoadedAndUnloaded() throws {
    let run = try PulseRun(Self.voice) { server in
      server.add(.init("speaker", isSink: true))
      server.add(.init("mic"))
    }
    let arguments = try #require(run.server.modules.values.first)
    #expect(arguments.contains("source_master=mic ") && arguments.contains("sink_master=speaker "))
    #expect(run.source.device?.id.hasPrefix("aacorn_voice_") == true)
    #expect(run.source.diagnostics.contains { $0.hasPrefix("Echo is removed") })
    run.read(seconds: 0.5)
    // The module itself may change the volume like this.
    run.server.device("mic")?.volume = 33
    run.stop()
    run.expectExactFrames()
    #expect(run.samples.count > 400)
    #expect(run.server.modules.isEmpty && run.server.device("mic")?.volume == 0x10000)
  }

  /// Some servers know only a part of the arguments.
  @Test(arguments: [("analog_gain_control", true), ("aec_method", false)])
  func simplerArgumentsAreTriedIfTheServerRefuses(word: String, hasMethod: Bool) throws {
    let run = try PulseRun(Self.voice) { server in
      server.refusedArgument = word
      server.add(.init("speaker", isSink: true))
      server.add(.init("mic"))
    }
    let arguments = try #require(run.server.modules.values.first)
    #expect(arguments.contains("aec_method=webrtc") == hasMethod)
    run.stop()
    #expect(run.server.modules.isEmpty)
  }

  /// PipeWire creates the filter some time after it has loaded the module.
  @Test func captureWaitsForALateFilter() throws {
    let server = SimulatedPulse { server in
      server.moduleMilliseconds = 110
      server.add(.init("speaker", isSink: true))
      server.add(.init("mic"))
    }
    let run = try expectDuration(0.11...0.195) { try PulseRun(Self.voice, server) }
    #expect(run.source.device?.id.hasPrefix("aacorn_voice_") == true)
    run.stop()
  }

  @Test func unloadingIsGivenUpAfter300Milliseconds() throws {
    let server = SimulatedPulse { server in
      server.add(.init("speaker", isSink: true))
      server.add(.init("mic"))
    }
    server.hangingRequest = "unload"
    let run = try PulseRun(Self.voice, server)
    run.read(seconds: 0.5)
    expectDuration(0.3...0.4) { run.source.stop() }
    // The filter does not appear within the time for a start.
    let slowServer = SimulatedPulse { server in
      (server.hangingRequest, server.moduleMilliseconds) = ("unload", 60_000)
      server.add(.init("speaker", isSink: true))
      server.add(.init("mic"))
    }
    let error = DeviceError.noVoiceProcessing(reason: "PulseAudio does not respond")
    expectDuration(5.3...5.36) {
      #expect(throws: error) {
        try Self.source(slowServer, Self.voice).start(CaptureSink(sampleCapacity: 100))
      }
    }
  }

  @Test func aFilterThatIsThereIsUsedAndStays() throws {
    let run = try PulseRun(Self.voice) { server in
      server.add(.init("speaker", isSink: true))
      server.add(.init("mic"))
      _ = server.load("source_master=mic source_name=clean")
      server.setDefault("mic")
    }
    #expect(run.source.device?.id == "clean")
    run.stop()
    #expect(run.server.modules.count == 1)
  }

  @Test func voiceProcessingReturnsWithTheServer() throws {
    let run = try PulseRun(Self.voice) { server in
      server.add(.init("speaker", isSink: true))
      server.add(.init("mic"))
    }
    run.server.kill()
    try run.expect(.deviceLost, within: 0.02)
    run.server.restart()
    try run.expect(.deviceLost, .deviceReturned, within: 0.3)
    #expect(run.server.modules.count == 1)
    run.stop()
    #expect(run.server.modules.isEmpty)
  }

  @Test func aServerWithoutOutputsRefuses() throws {
    let server = SimulatedPulse { $0.add(.init("mic")) }
    let error = DeviceError.noVoiceProcessing(
      reason: "PulseAudio rejected its echo canceler (module initialization failed)")
    #expect(throws: error) {
      try Self.source(server, Self.voice).start(CaptureSink(sampleCapacity: 100))
    }
    #expect(server.modules.isEmpty)
  }
}
#endif
