import AacornCodec
import AacornNetwork
import AacornRecording
import AacornStreaming
import Testing

@testable import AacornCommands

/// The health of a stream and of its source, as monitoring programs see them.
@Suite struct StreamHealthTests {
  private let problem = OutputStatus.StreamProblem(keyword: "closed", message: "It hung up.")

  /// A stream with live outputs of all kinds.
  private var stream: LiveSnapshot {
    var stream = LiveSnapshot()
    stream.timing = StreamTiming(sampleRate: 44_100, samplesPerUnit: 1024)
    stream.isFlowing = true
    stream.outputs = [
      (OutputStatus.Kind.icecast, "icecast"), (.rtmp, "rtmp"), (.hls, "hls"), (.save, "save"),
    ].map { kind, id in
      var output = OutputStatus(kind, id: id, name: id)
      output.state = .live
      return output
    }
    return stream
  }

  private func get(_ path: String, _ stream: LiveSnapshot) -> (Int, String) {
    let response = StatusPage.response(to: HTTPRequest(method: "GET", components: [path]), stream)
    guard case .bytes(let bytes) = response.body else { return (response.status, "") }
    return (response.status, String(decoding: bytes, as: UTF8.self))
  }

  /// A saved file reaches no listener, so it does not count while another output is configured.
  @Test func healthNeedsAllOutputsForListeners() {
    #expect(get("healthz", stream) == (200, "ok\n"))
    #expect(get("metrics", stream).1.contains("\naacorn_healthy 1\n"))
    for index in 0..<3 {
      var broken = stream
      broken.outputs[index].state = .reconnecting(problem, attempt: 2)
      let name = broken.outputs[index].id
      #expect(get("healthz", broken) == (503, "not live: \(name) (reconnecting)\n"))
      #expect(get("metrics", broken).1.contains("\naacorn_healthy 0\n"))
      #expect(get("status", broken).1.hasPrefix(#"{"healthy":false,"#))
    }
    var unsaved = stream
    unsaved.outputs[3].state = .failed(problem)
    #expect(get("healthz", unsaved) == (200, "ok\n"))
  }

  @Test func streamIntoAFileAloneNeedsTheFile() {
    var saved = stream
    saved.outputs.removeFirst(3)
    #expect(get("healthz", saved) == (200, "ok\n"))
    saved.outputs[0].state = .failed(problem)
    #expect(get("healthz", saved) == (503, "no output is live\n"))
  }

  @Test func healthNeedsSound() {
    var lost = stream
    lost.sound.isDeviceLost = true
    #expect(get("healthz", lost) == (503, "the device is lost\n"))
    #expect(get("status", lost).1.contains(#""lost":true,"#))
    var stalled = lost
    stalled.sound.isStalled = true
    #expect(get("healthz", stalled) == (503, "the device delivers no audio\n"))
    #expect(get("status", stalled).1.contains(#""lost":false,"#))
    var still = stream
    still.isFlowing = false
    #expect(get("healthz", still) == (503, "no sound arrives\n"))
    var alone = stream
    for index in alone.outputs.indices { alone.outputs[index].state = .failed(problem) }
    #expect(
      get("healthz", alone) == (503, "not live: icecast (failed), rtmp (failed), hls (failed)\n"))
    #expect(alone.outputs.haveAllFailed)
  }

  @Test func silentSourceIsReportedAndHealthy() {
    #expect(get("status", stream).1.contains(#""flowing":true,"silent":false}"#))
    #expect(get("metrics", stream).1.contains("\naacorn_source_silent 0\n"))
    var silent = stream
    silent.sound.isSilent = true
    #expect(get("status", silent).1.contains(#""flowing":true,"silent":true}"#))
    #expect(get("metrics", silent).1.contains("\naacorn_source_silent 1\n"))
    #expect(get("healthz", silent) == (200, "ok\n"))
  }
}
