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

/// Capture, playback and lists of devices on a simulated server.
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
    #expect(throws: CaptureError.noDevice(backend: .pipeWire)) { try server.capture() }
    #expect(throws: CaptureError.unknownDevice(id: "mic", backend: .pipeWire)) {
      try server.capture(microphone)
    }
    #expect(throws: PlaybackError.noDevice(backend: .pipeWire)) { try server.play() }
    #expect(throws: PlaybackError.unknownDevice(id: "speaker", backend: .pipeWire)) {
      try server.play(speaker)
    }
    let error = #expect(throws: PlaybackError.self) {
      let format = PlaybackFormat(sampleRate: 48000, channelCount: 65)
      try PipeWireTarget(PlaybackRequest()).start(PlaybackFeed(format, frameCapacity: 480))
    }
    #expect(error?.message.contains("64 channels") == true)
    server.freeze()
    #expect(throws: CaptureError.noServer(backend: .pipeWire, reason: "it does not answer")) {
      try expectDuration(2.9...3.1) { try server.capture() }
    }
    server.kill()
    let reason = "no program listens at its socket"
    #expect(throws: CaptureError.noServer(backend: .pipeWire, reason: reason)) {
      try server.capture()
    }
  }

  @Test func deviceWatchReportsEachChange() throws {
    let server = server()
    let changed = Semaphore()
    let watch = PipeWireDeviceWatch(remote: server.address, SimulatedPipeWire.library) {
      changed.signal()
    }
    #expect(!changed.wait(milliseconds: 5000), "Nothing has changed yet.")
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

  @Test func sourceAndTargetRejectSecondStartAndRestart() throws {
    let server = server()
    let run = try server.capture(microphone)
    let play = try server.play(speaker)
    for _ in 0..<2 {
      #expect(throws: CaptureError.alreadyRunning(id: "mic")) { try run.source.start(run.sink) }
      #expect(throws: PlaybackError.alreadyRunning(id: "speaker")) {
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
