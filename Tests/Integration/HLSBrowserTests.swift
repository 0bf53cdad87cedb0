import AacornCodec
import AacornContainers
import AacornDevices
import AacornNetwork
import AacornRecording
import AacornStreaming
import AacornSystem
import Foundation
import SoundRigs
import StreamRigs
import Testing

/// HLS from this package's server, played by ffmpeg and by a browser.
@Suite(.serialized) struct HLSBrowserTests {
  /// A recording of tones, served from memory, and pages that report their playback.
  final class Bench: Sendable {
    let log = HLSTests.FrameLog()
    let server: HTTPServer
    /// The reports of the pages, as JSON.
    let reports = Lock<[Data]>([])
    /// The names of the requested files.
    let names = Lock<Set<String>>([])
    private let session: RecordingSession

    init(
      _ configuration: HLSConfiguration, sampleCount: Int, page: String = "",
      pacing: SyntheticSource.Pacing = .unpaced
    ) throws {
      let store = HLSMemoryStore()
      let handler = HLSHandler(store)
      server = try HTTPServer { [reports, names] request, responder in
        switch request.path {
        case "/page":
          responder.respond(.text(page, type: "text/html; charset=utf-8"))
        case "/report":
          reports.withLock { $0.append(Data(request.body)) }
          responder.respond(HTTPResponse(status: 204))
        default:
          let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
          _ = names.withLock { $0.insert(request.path + (query.isEmpty ? "" : "?" + query)) }
          handler.handle(request, responder)
        }
      }
      session = RecordingSession(
        RecordingConfiguration(
          sampleRate: 48_000, channelCount: 2,
          coding: .aac(rateControl: .constant(bitsPerSecond: 128_000), effort: .balanced))
      ) { _ in
      } packets: { _ in
      }
      try session.start(
        HLSTests.tones(sampleCount, pacing),
        outputs: [HLSOutput(configuration, stores: [store], name: server.url), log])
    }

    func finish() throws {
      let summary = try #require(
        session.wait(for: TestTimeout.duration), "The recording does not end.")
      #expect(summary.failure == nil)
    }

    var frames: [[UInt8]] { log.frames.withLock { $0[0] ?? [] } }

    /// The frames that ffmpeg copies from the server without a warning.
    func copied() throws -> [[UInt8]] {
      try HLSTests.copied(
        ["-live_start_index", "0", "-i", server.url + "/stream.m3u8"], in: WorkFolder())
    }

    /// Opens a page in a browser, and waits for its report.
    func browse() throws -> Report {
      let browser = try HeadlessBrowser(server.url + "/page")
      _ = eventually { !reports.withLock(\.isEmpty) }
      guard let data = reports.withLock(\.first) else {
        throw RigFailure("The page reports nothing. The browser says:\n\(browser.log.suffix(3000))")
      }
      return try JSONDecoder().decode(Report.self, from: data)
    }
  }

  /// The final report of a page.
  struct Report: Decodable {
    var event: String
    var duration: Double?
    var time: Double?
    /// The playback positions at each check, starting with the first progress.
    var steps: [Double]?
    var message: String?
  }

  static let sampleCount = 48_000 * 5 + 333
  static let seconds = Double(sampleCount) / 48_000

  static func configuration(
    _ media: HLSConfiguration.Media, _ kind: HLSConfiguration.Kind
  ) -> HLSConfiguration {
    HLSTests.configuration(media, kind, segmentSeconds: 1)
  }

  // MARK: ffmpeg

  @Test(arguments: HLSConfiguration.Media.allCases)
  func ffmpegFollowsAPresentationWithPartsFromItsStart(media: HLSConfiguration.Media) throws {
    var configuration = Self.configuration(media, .live)
    configuration.partDuration = .milliseconds(250)
    let bench = try Bench(configuration, sampleCount: 48_000 * 6, pacing: .realTime)
    // A new playlist needs three segments. On a busy machine, they can take longer than a request
    // waits.
    #expect(eventually { bench.frames.count > 48_000 * 4 / 1024 })
    let copied = try bench.copied()
    try bench.finish()
    #expect(copied == bench.frames)
  }

  // MARK: A browser

  /// A page that plays the media prepared by `source`, and reports the result.
  private static func page(_ source: String) -> String {
    """
    <!doctype html><meta charset="utf-8"><title>A test</title>
    <audio id="audio"></audio>
    <script>
    const audio = document.getElementById("audio");
    const steps = [];
    const report = (event, message) => fetch("/report", { method: "POST", body: JSON.stringify({
      event, message, duration: Number.isFinite(audio.duration) ? audio.duration : null,
      time: audio.currentTime, steps }) });
    audio.ontimeupdate = () => { if (audio.currentTime > 0) steps.push(audio.currentTime); };
    audio.onended = () => report("ended");
    audio.onerror = () => report("error", audio.error.code + " " + audio.error.message);
    (async () => {
      \(source)
      await audio.play();
    })().catch((error) => report("failed", String(error)));
    </script>
    """
  }

  private static let nativePage = page("audio.src = \"/stream.m3u8\";")

  private func check(_ report: Report) throws {
    #expect(report.event == "ended", "\(report)")
    let duration = try #require(report.duration, "\(report)")
    let time = try #require(report.time, "\(report)")
    #expect(abs(duration - Self.seconds) < 0.1, "\(report)")
    #expect(abs(time - duration) < 0.1, "\(report)")
    let steps = report.steps ?? []
    #expect(steps.count > 3 && steps == steps.sorted(), "\(report)")
  }

  @Test(.tags(.smoke), arguments: HLSConfiguration.Media.allCases)
  func aBrowserPlaysThePlaylistToItsEnd(media: HLSConfiguration.Media) throws {
    let bench = try Bench(
      Self.configuration(media, .vod), sampleCount: Self.sampleCount, page: Self.nativePage)
    try bench.finish()
    try check(bench.browse())
  }

  @Test(.tags(.smoke)) func aBrowserPlaysThePageOfTheServer() throws {
    let bench = try Bench(
      Self.configuration(.fragmentedMP4, .event), sampleCount: Self.sampleCount)
    try bench.finish()
    let browser = try HeadlessBrowser(bench.server.url + "/")
    func segments() -> Int { bench.names.withLock { $0.filter { $0.hasSuffix(".m4s") }.count } }
    #expect(
      eventually { segments() >= 5 },
      "\(bench.names.withLock { $0 }) \(browser.log.suffix(2000))")
    #expect(!browser.log.contains("Content Security Policy"), "\(browser.log)")
  }

  @Test(.tags(.smoke), arguments: [nil, 250])
  func aBrowserFollowsALivePresentation(partMilliseconds: Int?) throws {
    var configuration = Self.configuration(.fragmentedMP4, .live)
    configuration.partDuration = partMilliseconds.map { .milliseconds($0) }
    let bench = try Bench(
      configuration, sampleCount: 48_000 * 12, page: Self.nativePage, pacing: .realTime)
    let report = try bench.browse()
    try bench.finish()
    #expect(report.event == "ended", "\(report) \(bench.names.withLock { $0.sorted() })")
    #expect((report.steps ?? []).count > 3, "\(report)")
  }
}
