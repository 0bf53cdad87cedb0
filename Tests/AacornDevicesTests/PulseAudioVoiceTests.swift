import AacornDevices
import AacornSystem
import Foundation
import SoundRigs
import Testing

/// The server's echo cancellation: requested, removed, rejected.
@Suite(.serialized, .tags(.smoke))
struct PulseAudioVoiceTests {
  private static func makeServer() throws -> PulseServer {
    let server = try PulseServer(modules: [
      PulseServer.nullSink("speaker"), PulseServer.pipeSource("mic"),
    ])
    try server.setDefaultSource("mic")
    return server
  }

  private static func makeSource(_ server: PulseServer) throws -> PulseAudioSource {
    try PulseAudioSource(CaptureRequest(isVoiceProcessed: true), server: server.address)
  }

  /// Writes half a second of a tone.
  private static func speak(_ server: PulseServer) throws {
    try PulseServer.feed(server.pipe(of: "mic"), frames: 0..<24_000) { frame, _ in
      Int16(8000 * sin(Double(frame) * 0.05))
    }
  }

  private static func modules(_ server: PulseServer) throws -> Int {
    try server.control("list", "short", "modules").components(separatedBy: "module-echo-cancel")
      .count - 1
  }

  @Test func theModuleIsLoadedAndUnloaded() throws {
    let server = try Self.makeServer()
    defer { server.stop() }
    var run = PulseAudioRun()
    let source = try Self.makeSource(server)
    let volume = try server.control("get-source-volume", "mic")
    try source.start(run.sink)
    defer { source.stop() }
    #expect(try Self.modules(server) == 1)
    #expect(source.device?.id.hasPrefix("aacorn_voice_") == true)
    #expect(source.diagnostics.contains { $0.hasPrefix("Echo is removed") })
    try Self.speak(server)
    // The module itself may change the volume like this.
    try server.control("set-source-volume", "mic", "33%")
    #expect(try server.control("get-source-volume", "mic") != volume)
    source.stop()
    run.readRest()
    #expect(run.blocks.count > 10)
    #expect(run.samples.contains { abs($0) > 0.01 })
    // The stop does not wait forever for a busy server, so the module may be removed later.
    #expect(eventually { (try? Self.modules(server)) == 0 })
    #expect(eventually { (try? server.control("get-source-volume", "mic")) == volume })
  }

  @Test func microphoneVolumeIsUnchanged() throws {
    let server = try Self.makeServer()
    defer { server.stop() }
    let run = PulseAudioRun()
    let source = try Self.makeSource(server)
    let volume = try server.control("get-source-volume", "mic")
    try source.start(run.sink)
    defer { source.stop() }
    try Self.speak(server)
    #expect(try server.control("get-source-volume", "mic") == volume)
  }

  @Test func aFilterThatIsThereIsUsedAndStays() throws {
    let server = try Self.makeServer()
    defer { server.stop() }
    try server.load(
      "module-echo-cancel source_master=mic sink_master=speaker source_name=clean")
    let run = PulseAudioRun()
    let source = try Self.makeSource(server)
    try source.start(run.sink)
    #expect(source.device?.id == "clean")
    source.stop()
    #expect(try Self.modules(server) == 1)
  }

  @Test func voiceProcessingReturnsWithTheServer() throws {
    let server = try Self.makeServer()
    defer { server.stop() }
    var run = PulseAudioRun()
    let source = try Self.makeSource(server)
    try source.start(run.sink)
    defer { source.stop() }
    server.kill()
    #expect(run.read { $0.events.contains(.deviceLost) })
    try server.restart()
    #expect(run.read { $0.events.contains(.deviceReturned) })
    #expect(try Self.modules(server) == 1)
    source.stop()
    #expect(try Self.modules(server) == 0)
  }

  @Test func aServerWithoutOutputsRefuses() throws {
    let server = try PulseServer(modules: [PulseServer.pipeSource("mic")])
    defer { server.stop() }
    #expect {
      try Self.makeSource(server).start(CaptureSink())
    } throws: { error in
      guard case .noVoiceProcessing(let reason)? = error as? CaptureError else { return false }
      return reason.hasPrefix("PulseAudio rejected its echo canceler")
    }
    #expect(try Self.modules(server) == 0)
  }
}
