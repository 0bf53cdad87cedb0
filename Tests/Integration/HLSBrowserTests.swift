import AacornDevices
import AacornNetwork
import AacornRecording
import AacornStreaming
import AacornSystem
import DeviceRigs
import Foundation
import SoundRigs
import StreamRigs
import Testing

/// HLS from this package's server, played by a browser.
@Suite struct HLSBrowserTests {
  /// The final report of a page.
  private struct Report: Decodable {
    var event: String
    var duration: Double?
    var time: Double?
    var message: String?
  }

  /// A page that plays the presentation and reports its end.
  private static let page = """
    <!doctype html><meta charset="utf-8"><title>A test</title>
    <audio id="audio" src="/stream.m3u8"></audio>
    <script>
    const audio = document.getElementById("audio");
    const report = (event, message) => fetch("/report", { method: "POST", body: JSON.stringify({
      event, message, duration: Number.isFinite(audio.duration) ? audio.duration : null,
      time: audio.currentTime }) });
    audio.onended = () => report("ended");
    audio.onerror = () => report("error", audio.error.code + " " + audio.error.message);
    audio.play().catch((error) => report("failed", String(error)));
    </script>
    """

  @Test(.tags(.smoke)) func aBrowserPlaysToTheEndAndLoadsThePageOfTheServer() throws {
    let reports = Lock<[Data]>([])
    let segments = Lock<Set<String>>([])
    let store = HLSMemoryStore()
    let handler = HLSHandler(store)
    let server = try HTTPServer { request, responder in
      switch request.path {
      case "/page":
        responder.respond(.text(Self.page, type: "text/html; charset=utf-8"))
      case "/report":
        reports.withLock { $0.append(Data(request.body)) }
        responder.respond(HTTPResponse(status: 204))
      default:
        if request.path.hasSuffix(".m4s") { _ = segments.withLock { $0.insert(request.path) } }
        handler.handle(request, responder)
      }
    }
    defer { server.stop() }
    var configuration = HLSConfiguration()
    configuration.kind = .event
    configuration.segmentDuration = .seconds(1)
    let session = RecordingSession(
      RecordingConfiguration(
        sampleRate: 48_000, channelCount: 2, coding: HLSTests.coding(128_000))
    ) { _ in
    } packets: { _ in
    }
    let sampleCount = 48_000 * 5 + 333
    try session.start(
      SyntheticSource(
        Device(backend: .synthetic, id: "test", name: "Test"),
        playing: SyntheticExcerpt(
          of: ToneSignal(sampleRate: 48_000, channelCount: 2), frameCount: sampleCount),
        pacing: .unpaced),
      outputs: [HLSOutput(configuration, stores: [store], name: server.url)])
    let summary = try #require(session.wait(for: TestTimeout.duration))
    #expect(summary.failure == nil)

    let player = try HeadlessBrowser(server.url + "/page")
    #expect(eventually { !reports.withLock(\.isEmpty) }, "\(player.log.suffix(3000))")
    let report = try JSONDecoder().decode(Report.self, from: reports.withLock(\.first) ?? Data())
    #expect(report.event == "ended", "\(report)")
    #expect(abs((report.duration ?? 0) - Double(sampleCount) / 48_000) < 0.1, "\(report)")
    #expect(abs((report.time ?? 0) - Double(sampleCount) / 48_000) < 0.1, "\(report)")
    player.stop()

    segments.withLock { $0 = [] }
    let browser = try HeadlessBrowser(server.url + "/")
    #expect(eventually { segments.withLock(\.count) >= 5 }, "\(browser.log.suffix(2000))")
    #expect(!browser.log.contains("Content Security Policy"), "\(browser.log)")
  }
}
