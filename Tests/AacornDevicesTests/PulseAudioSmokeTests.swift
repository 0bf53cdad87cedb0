import Foundation
import SoundRigs
import Testing

@testable import AacornDevices

/// The main ways of capture and playback, with real servers.
///
/// Simulated servers test the rest exactly, see `SimulatedPulse`.
@Suite(.serialized, .tags(.smoke)) struct PulseAudioSmokeTests {
  @Test func pulseAudioMonitorCapturesPlayedFramesAndReportsKilledServer() throws {
    let server = try PulseServer(modules: [PulseServer.nullSink("speaker", format: "float32le")])
    defer { server.stop() }
    let source = try PulseAudioSource(CaptureRequest(), server: server.address)
    let sink = CaptureSink()
    try source.start(sink)
    defer { source.stop() }
    #expect(source.device?.id == "speaker.monitor" && source.device?.isMonitor == true)
    let playback = try NumberedPlayback(
      PulseAudioTarget(PlaybackRequest(), server: server.address))
    #expect(playback.target.device?.id == "speaker")
    #expect(playback.isCaptured(by: sink))
    server.kill()
    #expect(playback.hasLostItsDevice(and: sink))
  }

  @Test func theEchoCancelerIsLoadedAndUnloaded() throws {
    let server = try PulseServer(modules: [
      PulseServer.nullSink("speaker"), PulseServer.pipeSource("mic"),
    ])
    defer { server.stop() }
    try server.setDefaultSource("mic")
    func moduleCount() throws -> Int {
      let list = try server.control("list", "short", "modules")
      return list.components(separatedBy: "module-echo-cancel").count - 1
    }
    let source = try PulseAudioSource(
      CaptureRequest(isVoiceProcessed: true), server: server.address)
    try source.start(CaptureSink())
    #expect(try moduleCount() == 1)
    #expect(source.device?.id.hasPrefix("aacorn_voice_") == true)
    source.stop()
    // The stop does not wait forever for a busy server, so the module may be removed later.
    #expect(eventually { (try? moduleCount()) == 0 })
  }

  @Test func callbacksComeInTheOrderOfTheSimulation() throws {
    let server = try PulseServer()
    defer { server.stop() }
    var modules = try ["one", "two"].map { try server.load(PulseServer.nullSink($0)) }
    let order = try PulseTrace.record(
      PulseLibrary(),
      PulseTrace.Server(
        address: server.address,
        suspend: { try server.control("suspend-sink", "one", $0 ? "1" : "0") },
        makeTwoDefault: { try server.setDefaultSource("two.monitor") },
        unplugBoth: {
          for module in modules { try server.unload(module) }
          modules = []
        },
        plugInOne: { try server.load(PulseServer.nullSink("one")) }, kill: { server.kill() }))
    #expect(order == PulseTrace.expected)
  }
}
