#if os(Linux)
import AacornSystem
import Simulation
import Testing

@testable import AacornDevices

extension SimulatedPipeWire: NumberedServer {
  /// The limit of the worker, and two pauses of a starved thread.
  static var stopLimit: Double { 0.901 + 2 * Simulation.maxDelay }
  typealias Run = ServerCapture<SimulatedPipeWire>
  typealias Play = ServerPlayback<SimulatedPipeWire>

  /// Starts a capture.
  func capture(_ request: CaptureRequest = CaptureRequest()) throws -> Run {
    try Run(self, PipeWireSource(request, remote: address, library: Self.library))
  }

  /// Starts a playback.
  func play(
    _ request: PlaybackRequest = PlaybackRequest(), sampleRate: Int = 1000
  ) throws -> Play {
    let target = PipeWireTarget(request, remote: address, library: Self.library)
    return try Play(self, target, sampleRate: sampleRate)
  }
}

/// Capture, playback and a watch of devices on a simulated server.
@Suite(.simulated(seeds: 4), .needsSimulation) struct PipeWireServerTests {
  private let microphone = CaptureRequest(device: .pinned(id: "mic"))
  private let speaker = PlaybackRequest(device: .pinned(id: "speaker"))

  private func server() -> SimulatedPipeWire {
    SimulatedPipeWire { server in
      server.add(.init("mic"))
      server.add(.init("speaker", isSink: true))
    }
  }

  @Test func callbacksHaveTheOrderOfARealServer() throws {
    let names = ["one", "two"]
    let server = SimulatedPipeWire { server in
      for name in names { server.add(.init(name, isSink: true)) }
    }
    let order = try PipeWireTrace.record(
      SimulatedPipeWire.library,
      PipeWireTrace.Server(
        address: server.address, makeTwoDefault: { server.setDefault("two") },
        unplugBoth: { for name in names { server.remove(name) } },
        plugInOne: { server.add(.init("one", isSink: true)) }, kill: { server.kill() }))
    #expect(order == PipeWireTrace.expected)
  }

  @Test func missingDevicesAndServersAreReported() throws {
    let server = SimulatedPipeWire()
    #expect(throws: DeviceError.noDevice(for: .capture, backend: .pipeWire)) {
      try server.capture()
    }
    #expect(throws: DeviceError.unknownDevice(id: "mic", backend: .pipeWire)) {
      try server.capture(microphone)
    }
    #expect(throws: DeviceError.noDevice(for: .playback, backend: .pipeWire)) { try server.play() }
    #expect(throws: DeviceError.unknownDevice(id: "speaker", backend: .pipeWire)) {
      try server.play(speaker)
    }
    let error = #expect(throws: DeviceError.self) {
      let format = PlaybackFormat(sampleRate: 48000, channelCount: 65)
      try PipeWireTarget(PlaybackRequest()).start(PlaybackFeed(format, frameCapacity: 480))
    }
    #expect(error?.message.contains("64 channels") == true)
    server.freeze()
    #expect(throws: DeviceError.noServer(backend: .pipeWire, reason: "it does not answer")) {
      try expectDuration(2.999...3.002) { try server.capture() }
    }
    server.kill()
    let reason = "no program listens at its socket"
    #expect(throws: DeviceError.noServer(backend: .pipeWire, reason: reason)) {
      try server.capture()
    }
  }

  @Test func deviceWatchReportsEachChange() throws {
    let server = server()
    let changed = Semaphore()
    let watch = PipeWireSystem.watchDevices(
      remote: server.address, library: SimulatedPipeWire.library
    ) {
      changed.signal()
    }
    // Devices may have changed before the server reports changes.
    #expect(changed.wait(milliseconds: 1000))
    #expect(!changed.wait(milliseconds: 5000), "Nothing has changed since.")
    for change in [
      { server.add(.init("other")) }, { server.setDefault("other") }, { server.remove("mic") },
      server.kill, server.restart,
    ] {
      change()
      #expect(changed.wait(milliseconds: 1100))
      while changed.wait(milliseconds: 300) {}
    }
    withExtendedLifetime(watch) {}
  }

  @Test func captureAndPlaybackFollowTheDefaultDevice() throws {
    let server = server()
    let (run, play) = (try server.capture(), try server.play())
    run.read(seconds: 0.5)
    play.play(seconds: 0.5)
    server.add(.init("other"))
    server.add(.init("headphones", isSink: true))
    server.setDefault("other")
    server.setDefault("headphones")
    try run.expect(.deviceChanged, within: 0.2)
    try play.expect(.deviceChanged, within: 0.2)
    #expect(run.source.device?.id == "other" && play.target.device?.id == "headphones")
    // The monitor of an output does not replace the last input.
    server.remove("mic")
    server.remove("other")
    try run.expect(.deviceChanged, .deviceLost, within: 1)
    run.read(seconds: 5)
    server.add(.init("third"))
    try run.expect(.deviceChanged, .deviceLost, .deviceReturned, within: 0.5)
    #expect(run.source.device?.id == "third")
    run.stop()
    run.expectExactFrames()
    play.stop()
  }

  @Test func requestedFormatIsCaptured() throws {
    let run = try server().capture(
      CaptureRequest(device: .pinned(id: "mic"), sampleRate: 750, channelCount: 2))
    run.read(seconds: 0.5)
    run.stop()
    #expect(!run.blocks.isEmpty)
    #expect(run.blocks.allSatisfy { $0.sampleRate == 750 && $0.channelCount == 2 })
  }

  /// Frames are lost while this program's data thread stalls, or in the device.
  @Test(arguments: [CaptureLoss.programLate, .overrun])
  func lostFramesAreCountedWithTheirCause(cause: CaptureLoss) throws {
    let run = try server().capture(microphone)
    run.read(seconds: 0.5)
    if cause == .overrun {
      run.server.node("mic")?.nextOverrun += 300
    } else {
      run.server.stallMilliseconds = 300
    }
    run.read(seconds: 1)
    run.stop()
    run.expectExactFrames()
    let losses = run.blocks.filter { $0.lostFrameCount > 0 }
    // A late thread still receives one or two cycles of 20 frames.
    #expect(250...300 ~= losses.reduce(0) { $0 + $1.lostFrameCount })
    #expect(losses.allSatisfy { $0.lossCause == cause } && run.events.isEmpty)
  }

  @Test func missingSamplesAreSilenceAndCounted() throws {
    try server().play(speaker).expectSilenceForLateFrames()
  }

  @Test func silentServerSuspendsPlaybackUntilItContinues() throws {
    let server = server()
    let play = try server.play()
    play.play(seconds: 1)
    server.freeze()
    try play.expect(.suspended, within: 3.1)
    server.thaw()
    try play.expect(.suspended, .resumed, within: 0.1)
    play.stop()
  }

  @Test(arguments: [false, true])
  func stopDoesNotWaitForAServerThatHangsOrHasEnded(isKilled: Bool) throws {
    let server = server()
    let (run, play) = (try server.capture(), try server.play())
    play.play(seconds: 0.5)
    if isKilled { server.kill() } else { server.freeze() }
    play.play(seconds: 1)
    for stop in [run.source.stop, play.target.stop] { expectDuration(0...0.01) { stop() } }
    run.stop()
    play.stop()
    #expect(run.samples.count > 400 && play.feed.consumedFrameCount > 400)
    #expect(run.events == (isKilled ? [.deviceLost] : []))
    #expect(play.events == (isKilled ? [.deviceLost] : []))
  }

  @Test func releasedTargetEndsItsPlayback() throws {
    let server = server()
    let feed = PlaybackFeed(PlaybackFormat(sampleRate: 1000, channelCount: 1), frameCapacity: 2000)
    var target: PipeWireTarget? = PipeWireTarget(
      speaker, remote: server.address, library: SimulatedPipeWire.library)
    _ = feed.write(array: [Float](repeating: 1, count: 2000))
    try target?.start(feed)
    System.sleep(milliseconds: 500)
    let isReleased = { [weak target] in target == nil }
    expectDuration(0...0.01) { target = nil }
    #expect(isReleased())
    let count = feed.consumedFrameCount
    System.sleep(milliseconds: 1000)
    #expect(count > 400 && feed.consumedFrameCount == count)
  }

  @Test func releasedSourceEndsItsCapture() throws {
    let server = server()
    let sink = CaptureSink()
    var source: PipeWireSource? = PipeWireSource(
      microphone, remote: server.address, library: SimulatedPipeWire.library)
    try source?.start(sink)
    System.sleep(milliseconds: 500)
    let isReleased = { [weak source] in source == nil }
    expectDuration(0...0.01) { source = nil }
    #expect(isReleased())
    var samples: [Float] = []
    while sink.read(into: &samples, milliseconds: 0) != nil {}
    #expect(!samples.isEmpty)
    System.sleep(milliseconds: 1000)
    #expect(sink.read(into: &samples, milliseconds: 0) == nil)
  }

  @Test func sourceAndTargetRejectSecondStartAndRestart() throws {
    let server = server()
    let run = try server.capture(microphone)
    let play = try server.play(speaker)
    for _ in 0..<2 {
      #expect(throws: DeviceError.alreadyRunning(id: "mic")) { try run.source.start(run.sink) }
      #expect(throws: DeviceError.alreadyRunning(id: "speaker")) {
        try play.target.start(play.feed)
      }
      let (count, taken) = (run.samples.count, play.feed.consumedFrameCount)
      run.read(seconds: 0.5)
      play.play(seconds: 0.5)
      #expect(run.samples.count > count + 400 && play.feed.consumedFrameCount > taken + 400)
      run.stop()
      play.stop()
      try run.source.start(run.sink)
      try play.target.start(play.feed)
    }
  }
}
#endif
