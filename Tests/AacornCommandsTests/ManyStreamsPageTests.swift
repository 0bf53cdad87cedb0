import AacornCodec
import AacornNetwork
import AacornRecording
import AacornStreaming
import Testing

@testable import AacornCommands

/// The status pages of many streams.
@Suite struct ManyStreamsPageTests {
  private func stream(_ state: OutputStatus.State, isFlowing: Bool = true) -> LiveSnapshot {
    var stream = LiveSnapshot()
    stream.timing = StreamTiming(sampleRate: 48_000, samplesPerUnit: 1024)
    stream.startWallTime = 1
    stream.isFlowing = isFlowing
    stream.frameCount = 100
    var output = OutputStatus(.icecast, id: "icecast", name: "icecast://h/a")
    output.state = state
    output.frameCount = 90
    stream.outputs = [output]
    return stream
  }

  private var entries: [StreamEntrySnapshot] {
    let problem = OutputStatus.StreamProblem(keyword: "closed", message: "It hung up.")
    return [
      StreamEntrySnapshot(name: "jazz", state: .running, details: stream(.live)),
      StreamEntrySnapshot(
        name: "news", state: .running, restartCount: 2, lastStatus: .endedEarly,
        details: stream(.reconnecting(problem, attempt: 3))),
      StreamEntrySnapshot(
        name: "talk", state: .ended, lastStatus: .success, endStatus: .success),
      StreamEntrySnapshot(name: "rock", state: .waiting, lastStatus: .cannotRead),
    ]
  }

  private func get(_ path: String) -> (Int, String) {
    let components = path.split(separator: "/").map(String.init)
    let request = HTTPRequest(method: "GET", components: components)
    let response = ManyStreamsPage.response(to: request, entries, ManyStreamsPage.Reloads())
    guard case .bytes(let bytes) = response.body else { return (response.status, "") }
    return (response.status, String(decoding: bytes, as: UTF8.self))
  }

  @Test func metricSamplesAreGroupedByName() {
    let (status, text) = get("/metrics")
    #expect(status == 200)
    for line in [
      #"aacorn_healthy{stream="jazz"} 1"#, #"aacorn_healthy{stream="news"} 0"#,
      #"aacorn_frames_total{stream="news"} 100"#,
      #"aacorn_output_frames_total{stream="jazz",output="icecast",kind="icecast","#
        + #"name="icecast://h/a"} 90"#,
      #"aacorn_stream_up{stream="talk"} 1"#, #"aacorn_stream_up{stream="rock"} 0"#,
      #"aacorn_stream_state{stream="rock",state="waiting"} 1"#,
      #"aacorn_stream_state{stream="jazz",state="waiting"} 0"#,
      #"aacorn_stream_restarts_total{stream="news"} 2"#,
      "aacorn_config_last_reload_successful 1",
    ] {
      #expect(text.contains("\n" + line + "\n"), "\(line)\n\(text)")
    }
    var helps: Set<Substring> = []
    var seen: Set<Substring> = []
    for line in text.split(separator: "\n") {
      if line.hasPrefix("# HELP ") {
        #expect(helps.insert(line.split(separator: " ")[2]).inserted, "\(line)")
      } else if !line.hasPrefix("#") {
        #expect(seen.insert(line.prefix { $0 != " " }).inserted, "\(line)")
      }
    }
  }

  @Test func healthPageNamesUnhealthyStreams() {
    let (status, text) = get("/healthz")
    #expect(status == 503)
    #expect(text == "news: not live: icecast (reconnecting)\nrock: restarts soon\n")
    #expect(get("/healthz/jazz") == (200, "ok\n"))
    #expect(get("/healthz/talk") == (200, "ok\n"))
    #expect(get("/healthz/rock").0 == 503)
    #expect(get("/healthz/none").0 == 404)
  }

  @Test func theStatusHasAllOfThem() {
    let (status, text) = get("/status")
    #expect(status == 200)
    #expect(text.hasPrefix(#"{"healthy":false,"version":""#))
    #expect(
      text.contains(
        #"{"stream":"news","state":"running","healthy":false,"restarts":2,"lastCode":5,"#
          + #""details":{"healthy":false,"#))
    let (one, own) = get("/status/jazz")
    #expect(one == 200)
    #expect(own.hasPrefix(#"{"stream":"jazz","state":"running","healthy":true,"#))
    #expect(get("/status/none").0 == 404)
    #expect(get("/other").0 == 404)
    #expect(get("/").1.contains("/metrics"))
  }

  @Test func aFailedOutputNeedsAttentionAfterTheEndToo() {
    #expect(!StreamEntrySnapshot(name: "a", state: .ended, endStatus: .failed).isHealthy)
  }

  @Test func endedStreamIsUnhealthy() {
    var stream = stream(.live)
    stream.end()
    #expect(!stream.isHealthy && stream.outputs.first?.state == .stopped)
    #expect(stream.frameCount == 100)
    let problem = OutputStatus.StreamProblem(keyword: "closed", message: "It hung up.")
    var failed = self.stream(.failed(problem))
    failed.end()
    #expect(failed.outputs.first?.hasFailed == true)
  }

  @Test func leavingStreamsAreListed() {
    let request = { HTTPRequest(method: "GET", components: [$0]) }
    let old = StreamEntrySnapshot(name: "old", state: .running, details: stream(.live))
    for (page, words) in [
      ("status", #""leaving":[{"stream":"old","state":"running","#),
      ("metrics", "\naacorn_stream_leaving{stream=\"old\"} 2\n"),
    ] {
      let response = ManyStreamsPage.response(
        to: request(page), entries, ManyStreamsPage.Reloads(), leaving: [old, old])
      guard case .bytes(let bytes) = response.body else {
        Issue.record("The page \(page) is missing.")
        continue
      }
      #expect(String(decoding: bytes, as: UTF8.self).contains(words))
    }
  }

  @Test func statusLineNamesStreamsWithProblems() {
    let line = ManyStreamsLine(entries: entries)
    #expect(
      line.text(columns: 100) == "1 of 4 LIVE  news reconnecting  talk ended  rock waiting")
    #expect(line.text(columns: 50) == "1 of 4 LIVE  news reconnecting  and 2 more")
    for columns in 1...100 { #expect(line.text(columns: columns).count <= max(1, columns - 1)) }
  }
}
