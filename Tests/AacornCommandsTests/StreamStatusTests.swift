import AacornCodec
import AacornContainers
import AacornDevices
import AacornNetwork
import AacornRecording
import AacornStreaming
import AacornSystem
import Testing

@testable import AacornCommands

/// The status of a stream as a line, metrics, JSON and messages.
@Suite struct StreamStatusTests {
  private typealias Output = OutputStatus
  private let problem = OutputStatus.StreamProblem(keyword: "closed", message: "It hung up.")

  private var stream: LiveSnapshot {
    var stream = LiveSnapshot()
    stream.timing = StreamTiming(sampleRate: 44_100, samplesPerUnit: 1024)
    stream.channelCount = 2
    stream.sound.sampleCount = 44_100 * 12 + 13_230
    stream.frameCount = 530
    stream.isFlowing = true
    stream.levels = [
      LevelMeterDisplay.Reading(level: -12, hold: -12),
      LevelMeterDisplay.Reading(level: -.infinity, hold: -.infinity),
    ]
    stream.metadata = LiveMetadata(title: "T", artist: "A")
    var icecast = Output(.icecast, id: "icecast", name: "icecast://h:8000/a")
    icecast.state = .live
    icecast.frameCount = 500
    icecast.byteCount = 500 * 372
    icecast.droppedFrameCount = 3
    icecast.queuedFrameCount = 2
    icecast.queuedMilliseconds = 46
    var rtmp = Output(.rtmp, id: "rtmp", name: "rtmp://h/live")
    rtmp.state = .reconnecting(problem, attempt: 3)
    rtmp.reconnectCount = 2
    var hls = Output(.hls, id: "hls", name: "/srv/\"live\"\\\n")
    hls.state = .live
    hls.segmentCount = 12
    var save = Output(.save, id: "save", name: "a.m4a")
    save.state = .live
    save.byteCount = 3_400_000
    stream.outputs = [icecast, rtmp, hls, save]
    return stream
  }

  // MARK: - The status line

  @Test func theBitrateIsThatOfTheSoundThatADecoderPutsOut() {
    var stream = stream
    stream.timing = StreamTiming(sampleRate: 44_100, samplesPerUnit: 2048)
    // 372 bytes per access unit.
    #expect(LiveLine(stream: stream).text(columns: 200).contains("icecast live 64 kb/s"))
    #expect(stream.seconds == 12.3)
  }

  @Test func anOutputWithAnotherRenditionCountsItsOwnFrames() {
    var stream = stream
    stream.otherTimings[.icecast] = StreamTiming(sampleRate: 44_100, samplesPerUnit: 2048)
    #expect(LiveLine(stream: stream).text(columns: 200).contains("icecast live 64 kb/s"))
    stream.otherTimings = [.rtmp: StreamTiming(sampleRate: 44_100, samplesPerUnit: 2048)]
    #expect(LiveLine(stream: stream).text(columns: 200).contains("icecast live 128 kb/s"))
  }

  @Test func theLineShowsEveryOutput() {
    let text = LiveLine(stream: stream).text(columns: 200)
    #expect(text.hasPrefix("LIVE 0:12.3  L #"))
    #expect(
      text.hasSuffix(
        "  icecast live 128 kb/s 3 dropped  rtmp reconnecting (3)  hls 12 segments  save 3.40 MB"))
  }

  @Test func aNarrowTerminalLosesTheLeastImportant() {
    var stream = stream
    stream.sound.gapCount = 2
    stream.sound.filledSampleCount = 4410
    let line = LiveLine(stream: stream)
    #expect(line.text(columns: 200).hasSuffix("  2 gaps 100 ms"))
    #expect(!line.text(columns: 120).contains("gaps"))
    #expect(line.text(columns: 120).contains("hls 12 segments"))
    #expect(line.text(columns: 80).contains("rtmp reconnecting (3)"))
    #expect(line.text(columns: 60).hasSuffix("3 of 4 outputs live"))
    for columns in 1...220 { #expect(line.text(columns: columns).count <= max(1, columns - 1)) }
  }

  @Test func theLineSaysHowLoudItIs() {
    var stream = stream
    stream.sound.loudness.momentary = -20.04
    #expect(LiveLine(stream: stream).text(columns: 200).hasSuffix("save 3.40 MB  -20.0 LUFS"))
    stream.sound.loudness.shortTerm = -18.46
    #expect(LiveLine(stream: stream).text(columns: 200).hasSuffix("save 3.40 MB  -18.5 LUFS"))
    #expect(!LiveLine(stream: stream).text(columns: 60).contains("LUFS"))
  }

  @Test func stoppingLineShowsListenerCount() {
    var ending = stream
    ending.isStopping = true
    ending.lastListenerCount = 3
    let line = LiveLine(stream: ending).text(columns: 200)
    #expect(line.hasPrefix("STOPPING "))
    #expect(line.contains("  3 listeners  "))
  }

  @Test func theLineSaysWhatHoldsTheSoundUp() {
    var stream = stream
    for index in stream.outputs.indices { stream.outputs[index].state = .connecting }
    let waiting = LiveLine(stream: stream, problem: .deviceLost("Mic")).text(columns: 200)
    #expect(waiting.hasPrefix("WAITING 0:12.3  device lost: waiting for Mic  icecast connecting"))
    stream.isStopping = true
    #expect(LiveLine(stream: stream).text(columns: 100).hasPrefix("STOPPING "))
  }

  // MARK: - The status page

  private func get(
    _ path: String, _ stream: LiveSnapshot, method: String = "GET"
  ) -> (Int, String) {
    let components = path.split(separator: "/").map(String.init)
    let request = HTTPRequest(method: method, components: components)
    let response = StatusPage.response(to: request, stream)
    guard case .bytes(let bytes) = response.body else { return (response.status, "") }
    return (response.status, String(decoding: bytes, as: UTF8.self))
  }

  @Test func onlyOurOwnNamesAreAnswered() {
    func status(_ address: String, _ host: String?) -> Int? {
      let fields = host.map { [HTTPField("Host", $0)] } ?? []
      let options = StatusPage.options(address: address, hostName: "acorn")
      return options.admission?(HTTPRequest(components: ["status"], headers: fields)).rejection?
        .status
    }
    for host in ["localhost:9000", "127.0.0.1", "[::1]:9000", "ACORN:9000", "acorn.local", nil] {
      #expect(status("127.0.0.1", host) == nil)
      #expect(status("0.0.0.0", host) == nil)
    }
    for host in ["evil.example", "evil.example:9000", "127.0.0.1.evil.example", "", "[::1"] {
      #expect(status("127.0.0.1", host) == 403)
      #expect(status("0.0.0.0", host) == 403)
    }
    // A numeric address cannot be redirected by DNS.
    #expect(status("127.0.0.1", "192.168.1.5:9000") == 403)
    #expect(status("0.0.0.0", "192.168.1.5:9000") == nil)
    #expect(status("192.168.1.5", "192.168.1.5:9000") == nil)
  }

  @Test func metricsHaveTheFormOfPrometheus() throws {
    let (status, text) = get("/metrics", stream)
    #expect(status == 200)
    #expect(text.hasSuffix("\n"))
    var types: [String: String] = [:]
    var helps: Set<String> = []
    var seen: Set<String> = []
    let name = /[a-zA-Z_:][a-zA-Z0-9_:]*/
    let sample =
      /^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{[a-z_]+="(?:[^"\\]|\\["\\n])*"(?:,[a-z_]+="(?:[^"\\]|\\["\\n])*")*\})? (NaN|[+-]Inf|-?[0-9.e+-]+)$/
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      let words = line.split(separator: " ", maxSplits: 3)
      if line.hasPrefix("# HELP ") {
        #expect(String(words[2]).wholeMatch(of: name) != nil)
        #expect(helps.insert(String(words[2])).inserted, "\(line)")
      } else if line.hasPrefix("# TYPE ") {
        #expect(["counter", "gauge"].contains(words[3]))
        #expect(types.updateValue(String(words[3]), forKey: String(words[2])) == nil)
      } else {
        let match = try #require(String(line).wholeMatch(of: sample), "\(line)")
        let metric = String(match.1)
        #expect(helps.contains(metric), "\(line)")
        #expect((types[metric] == "counter") == metric.hasSuffix("_total"), "\(line)")
        #expect(seen.insert(metric + (match.2 ?? "")).inserted, "\(line)")
      }
    }
    #expect(Set(types.keys) == helps)
    for line in [
      "aacorn_healthy 0", "aacorn_source_silent 0", "aacorn_frames_total 530",
      "aacorn_sound_seconds_total 12.3",
      #"aacorn_output_up{output="icecast",kind="icecast",name="icecast://h:8000/a"} 1"#,
      #"aacorn_output_dropped_frames_total{output="icecast",kind="icecast",name="icecast://h:8000/a"} 3"#,
      #"aacorn_output_queue_seconds{output="icecast",kind="icecast",name="icecast://h:8000/a"} 0.046"#,
      #"aacorn_output_state{output="rtmp",kind="rtmp",name="rtmp://h/live",state="reconnecting"} 1"#,
      #"aacorn_output_state{output="rtmp",kind="rtmp",name="rtmp://h/live",state="live"} 0"#,
      #"aacorn_output_segments_total{output="hls",kind="hls",name="/srv/\"live\"\\ "} 12"#,
      #"aacorn_level_dbfs{channel="2"} -Inf"#,
    ] {
      #expect(text.contains("\n" + line + "\n"), "\(line)\n\(text)")
    }
    #expect(!text.contains("clock_drift") && !text.contains("aacorn_loudness_lufs"))
    var loud = stream
    loud.sound.loudness.shortTerm = -18.5
    loud.sound.loudness.truePeak = -1.25
    let loudText = get("/metrics", loud).1
    #expect(loudText.contains("\naacorn_loudness_lufs{window=\"short-term\"} -18.5\n"))
    #expect(!loudText.contains(#"window="integrated""#))
    #expect(loudText.contains("\naacorn_true_peak_dbtp -1.25\n"))
  }

  @Test func largeCountsAreExact() {
    var metrics = MetricsText()
    metrics.add("bytes", .counter, "Bytes.", [(labels: [], value: 2_000_000_000_000_001)])
    #expect(metrics.text.hasSuffix("\nbytes 2000000000000001\n"))
  }

  @Test func theStatusIsJSONWithEveryOutput() {
    let (status, text) = get("/status", stream)
    #expect(status == 200)
    #expect(text.hasPrefix(#"{"healthy":false,"stopping":false,"muted":false,"version":""#))
    #expect(text.contains(#""seconds":12.300,"samples":542430,"frames":530,"#))
    #expect(text.contains(#""levels":[-12.0,null],"clippedSamples":0,"title":"T","artist":"A","#))
    #expect(
      text.contains(
        #""loudness":{"momentary":null,"shortTerm":null,"integrated":null,"truePeak":null},"#))
    #expect(
      text.contains(
        #"{"output":"rtmp","kind":"rtmp","name":"rtmp://h/live","state":"reconnecting","#
          + #""attempt":3,"error":"closed","message":"It hung up.","frames":0,"droppedFrames":0,"#
          + #""bytes":0,"queuedFrames":0,"queuedMilliseconds":0,"reconnects":2,"segments":null,"#
          + #""droppedSegments":null}"#))
  }

  @Test func uploadReportsDroppedSegments() {
    var upload = OutputStatus(.hls, id: "hls", name: "https://h/live/")
    #expect(!get("/metrics", stream).1.contains("aacorn_output_dropped_segments_total{"))
    upload.state = .live
    upload.segmentCount = 7
    upload.droppedSegmentCount = 2
    var stream = stream
    stream.outputs.append(upload)
    #expect(LiveLine(stream: stream).text(columns: 300).contains("hls 7 segments 2 dropped"))
    #expect(
      get("/metrics", stream).1.contains(
        "\naacorn_output_dropped_segments_total{output=\"hls\",kind=\"hls\",name=\"https://h/live/\"}"
          + " 2\n"))
    #expect(get("/status", stream).1.contains(#""segments":7,"droppedSegments":2}"#))
  }

  @Test func removalProblemIsReportedOnce() {
    var outputs = [OutputStatus(.hls, id: "hls", name: "https://h/live/")]
    var tally = LiveTally()
    #expect(tally.problems(in: outputs).isEmpty)
    outputs[0].removalProblem = "It must allow DELETE."
    guard case .warning(let message) = tally.problems(in: outputs).first else {
      Issue.record("The removal was not reported.")
      return
    }
    #expect(message == "hls cannot remove old files: It must allow DELETE.")
    #expect(tally.problems(in: outputs).isEmpty)
  }

  @Test func otherPathsAndMethodsAreRejected() {
    #expect(get("/", stream).1.contains("/metrics"))
    #expect(get("/secret", stream).0 == 404)
    #expect(get("/status", stream, method: "POST").0 == 405)
    #expect(get("/status", stream, method: "HEAD").0 == 200)
  }

  // MARK: - Messages and JSON

  @Test func outputChangesHaveMessages() throws {
    let plan = try LivePlan(["--save", "a.m4a"])
    func message(
      _ state: OutputStatus.State, _ previous: OutputReports = .init(), index: Int = 1
    ) -> String? {
      LiveEvent.output(index, state).message(
        wallTime: 5_000_000_000, plan, outputs: stream.outputs, previous: previous)?.text
    }
    #expect(message(.live) == "rtmp (rtmp://h/live): live.")
    #expect(message(.live, index: 3) == "save (a.m4a): started.")
    #expect(
      message(.reconnecting(problem, attempt: 1))
        == "rtmp (rtmp://h/live): It hung up. Trying again.")
    #expect(message(.failed(problem)) == "Gave up on rtmp (rtmp://h/live): It hung up.")
    var previous = OutputReports()
    previous.wasLive = true
    previous.lossTime = 1_500_000_000
    #expect(message(.live, previous) == "rtmp (rtmp://h/live): live again after 3.5 s.")
    #expect(message(.live, index: 2)?.contains("\n") == false)
  }

  @Test func repeatedProblemIsReportedOnce() throws {
    let plan = try LivePlan(["--save", "a.m4a"])
    var tally = LiveTally()
    var reported: [Bool] = []
    let other = OutputStatus.StreamProblem(keyword: "timeout", message: "It sleeps.")
    let states: [OutputStatus.State] = [
      .reconnecting(problem, attempt: 1), .reconnecting(problem, attempt: 2),
      .reconnecting(other, attempt: 3), .live, .reconnecting(other, attempt: 1),
    ]
    for state in states {
      let event = LiveEvent.output(0, state)
      let message = event.message(
        wallTime: 0, plan, outputs: stream.outputs, previous: tally.outputs[0])
      reported.append(message?.weight == .always)
      tally.process(event, wallTime: 0)
    }
    #expect(reported == [true, false, true, true, true])
  }

  @Test func aServerThatDoesNotTakeTheTitleIsWarnedOfOnce() {
    var tally = LiveTally()
    var outputs = stream.outputs
    func warnings() -> [String] {
      tally.problems(in: outputs).map { event in
        if case .warning(let message) = event { message } else { "" }
      }
    }
    #expect(warnings() == [])
    outputs[0].metadataProblem = "Refused."
    #expect(warnings() == ["icecast did not get the title: Refused."])
    #expect(warnings() == [])
    outputs[0].metadataProblem = nil
    #expect(warnings() == [])
    outputs[0].metadataProblem = "Refused."
    #expect(warnings().count == 1)
  }

  @Test func startOfHLSNamesThePlaylist() throws {
    let plan = try LivePlan(["--hls", "www/live", "--hls", "https://h/up/"])
    func message(_ name: String, wasLive: Bool = false) -> String? {
      var output = OutputStatus(.hls, id: "hls", name: name)
      output.state = .live
      return LiveEvent.output(0, .live).message(
        wallTime: 0, plan, outputs: [output], previous: .init(wasLive: wasLive))?.text
    }
    #expect(message("www/live") == "hls (www/live): started. The playlist is www/live/stream.m3u8.")
    #expect(
      message("https://h/up/")?.hasSuffix("The playlist is https://h/up/stream.m3u8.") == true)
    #expect(message("https://h/up/", wasLive: true)?.contains("playlist") == false)
  }

  @Test func hintAboutKeysIsShortenedBeforeItIsOmitted() {
    var line = LiveLine(stream: stream)
    line.hint = RecordKey.hint
    #expect(line.text(columns: 200).hasSuffix("  q stops, ? lists keys"))
    let full = line.text(columns: 200).count
    let shorter = (60..<full).map { line.text(columns: $0) }.filter { $0.hasSuffix("  q stops") }
    #expect(!shorter.isEmpty)
  }

  @Test func wildcardAddressBecomesAnAddressOfThisMachine() throws {
    let plan = try LivePlan(["--save", "a.m4a"])
    let address = System.addresses.first ?? "127.0.0.1"
    let host = address.contains(":") ? "[\(address)]" : address
    func message(_ service: LiveEvent.Service, _ url: String) -> String? {
      LiveEvent.listening(service, url: url).message(
        wallTime: 0, plan, outputs: [], previous: nil)?.text
    }
    #expect(
      message(.hls, "http://0.0.0.0:8080/stream.m3u8")
        == "HLS is served at http://\(host):8080/stream.m3u8.")
    #expect(
      message(.status, "http://[::]:91")
        == "The status is at http://\(host):91/status.")
    #expect(
      message(.status, "http://127.0.0.1:91") == "The status is at http://127.0.0.1:91/status.")
  }

  @Test func eventsAreJSON() throws {
    let plan = try LivePlan(["--save", "a.m4a"])
    func json(_ event: LiveEvent) -> String? {
      event.json(wallTime: 1_000_000_000, plan, outputs: stream.outputs)?.encoded
    }
    #expect(
      json(.output(1, .failed(problem)))
        == #"{"event":"output","time":"1970-01-01T00:00:01.000Z","output":"rtmp","kind":"rtmp","#
        + #""name":"rtmp://h/live","state":"failed","attempt":0,"error":"closed","#
        + #""message":"It hung up."}"#)
    #expect(
      json(.metadata(LiveMetadata(title: "T")))
        == #"{"event":"metadata","time":"1970-01-01T00:00:01.000Z","title":"T","artist":null}"#)
    #expect(json(.sound(.deviceLost))?.hasPrefix(#"{"event":"device-lost","#) == true)
    #expect(json(.sound(.outputOpened("x"))) == nil)
    #expect(
      json(.listening(.hls, url: "http://h/"))?.hasSuffix(
        #""service":"hls","url":"http://h/"}"#) == true)
  }
}
