#if os(Linux)
import AacornDevices
import AacornSystem
import SoundRigs
import Testing

/// Capture from a PulseAudio server through ALSA's plug-in, as in programs without PulseAudio
/// support.
@Suite(.serialized, .tags(.smoke))
struct ALSAPulseTests {
  /// Writes a counter to the pipe of a pipe source, on another thread.
  private static func feed(
    _ server: PulseServer, _ name: String, _ frames: Range<Int>
  ) throws -> WorkerThread {
    let pipe = server.pipe(of: name)
    let thread = WorkerThread {
      try? PulseServer.feed(pipe, frames: frames) { frame, channel in
        Int16((channel == 0 ? frame : frame >> 15) & 0x7FFF)
      }
    }
    return try #require(thread)
  }

  @Test func pulsePlugInDeliversEverySampleOnce() throws {
    let server = try PulseServer(modules: [PulseServer.pipeSource("mic")])
    defer { server.stop() }
    var run = try ALSARun(ALSAConfiguration.pulse("mic", server: server.address))
    try run.start()
    defer { run.source.stop() }
    let feeding = try Self.feed(server, "mic", 1..<144_001)
    run.collect { $0.lastNumber(format: "S16_LE") >= 48_000 }
    run.stop()
    // Nothing reads the rest of the input.
    server.stop()
    feeding.join()
    #expect(run.sound.allSatisfy { $0.channelCount == 2 && $0.sampleRate == 48000 })
    // The pipe source inserts silence when its writer is late.
    run.expectNumbersWithoutUnreportedLoss(format: "S16_LE")
    #expect(run.events == [])
  }

  @Test func serverThatEndsAndReturnsIsFoundAgain() throws {
    let server = try PulseServer(modules: [PulseServer.nullSink("quiet")])
    defer { server.stop() }
    var run = try ALSARun(ALSAConfiguration.pulse("quiet.monitor", server: server.address))
    try run.start()
    defer { run.source.stop() }
    run.collect { $0.frameCount >= 9600 }
    server.kill()
    run.collect { !$0.events.isEmpty }
    #expect(run.events == [.deviceLost])
    try server.restart()
    let count = run.frameCount
    run.collect { $0.frameCount >= count + 9600 }
    run.stop()
    #expect(run.events == [.deviceLost, .deviceReturned])
    #expect(run.frameCount >= count + 9600)
    #expect(run.lostFrameCount > 0)
  }

  @Test func everySampleIsPlayedThroughThePlugInOnce() throws {
    let server = try PulseServer(modules: [PulseServer.nullSink("quiet")])
    defer { server.stop() }
    var run = try ALSARun(ALSAConfiguration.pulse("quiet.monitor", server: server.address))
    try run.start()
    defer { run.source.stop() }
    let request = PlaybackRequest(
      device: .pinned(id: ALSAConfiguration.pulse("quiet", server: server.address)),
      latency: .milliseconds(400))
    let playback = try NumberedPlayback(ALSATarget(request)) {
      ALSAConfiguration.samples(ofFrame: $0, format: "S16_LE")
    }
    run.collect { run in
      playback.tend()
      return run.lastNumber(format: "S16_LE") >= 48_000
    }
    playback.target.stop()
    // The server inserts silence when this program is late.
    run.expectNumbersWithoutUnreportedLoss(format: "S16_LE")
    #expect(playback.events == [])
  }

  @Test func serverThatEndsAndReturnsIsPlayedOnAgain() throws {
    let server = try PulseServer(modules: [PulseServer.nullSink("quiet")])
    defer { server.stop() }
    try ALSAConfiguration.install()
    let request = PlaybackRequest(
      device: .pinned(id: ALSAConfiguration.pulse("quiet", server: server.address)))
    let playback = try NumberedPlayback(ALSATarget(request)) {
      ALSAConfiguration.samples(ofFrame: $0, format: "S16_LE")
    }
    #expect(playback.play())
    server.kill()
    #expect(playback.tend { !playback.events.isEmpty })
    #expect(playback.events == [.deviceLost])
    try server.restart()
    #expect(playback.tend { playback.events.count > 1 })
    #expect(playback.play())
    #expect(playback.events == [.deviceLost, .deviceReturned])
  }

  @Test func stopReturnsWhileServerHangs() throws {
    let server = try PulseServer(modules: [PulseServer.nullSink("quiet")])
    defer { server.stop() }
    var run = try ALSARun(ALSAConfiguration.pulse("quiet.monitor", server: server.address))
    try run.start()
    run.collect { $0.frameCount >= 9600 }
    server.freeze()
    run.collectUntilIdle()
    let before = System.seconds
    run.stop()
    let after = System.seconds
    server.thaw()
    #expect(after - before < promptSeconds)
  }
}
#endif
