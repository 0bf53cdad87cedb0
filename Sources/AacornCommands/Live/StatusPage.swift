import AacornNetwork
import AacornRecording
import AacornStreaming
import AacornSystem

/// HTTP responses about the state of a stream.
enum StatusPage {
  static func response(to request: HTTPRequest, _ stream: LiveSnapshot) -> HTTPResponse {
    answer(request) {
      switch request.path {
      case "/": .text(overview)
      case "/status": json(stream.json)
      case "/metrics":
        .text(StreamMetrics(stream).metrics.text, type: MetricsText.contentType)
      case "/healthz":
        stream.isHealthy ? .text("ok\n") : .text(problem(of: stream) + "\n", status: 503)
      default: nil
      }
    }
  }

  /// Returns an uncached response to a request for a page, which is nil if it does not exist.
  static func answer(_ request: HTTPRequest, _ page: () -> HTTPResponse?) -> HTTPResponse {
    guard request.method == "GET" || request.method == "HEAD" else {
      return .methodNotAllowed(["GET", "HEAD"])
    }
    guard var response = page() else { return .notFound }
    response.headers.append(HTTPField("Cache-Control", "no-store"))
    return response
  }

  static func json(_ value: JSONValue) -> HTTPResponse {
    .text(value.encoded + "\n", type: "application/json; charset=utf-8")
  }

  /// Starts a server at an address.
  static func server(
    at address: ListenAddress, _ respond: @escaping @Sendable (HTTPRequest) -> HTTPResponse
  ) throws(NetworkError) -> HTTPServer {
    try HTTPServer(
      address: address.address, port: address.port, options: options(address: address.address)
    ) { request, responder in responder.respond(respond(request)) }
  }

  /// Returns the server's options for a status page that listens at an address.
  ///
  /// Web pages in a user's browser must not be able to read the state. So the host name in each
  /// request is checked, which prevents DNS rebinding.
  static func options(address: String, hostName: String = System.hostName) -> HTTPServer.Options {
    var options = HTTPServer.Options()
    options.connectionLimit = 64
    let names = HostNames(address: address, hostName: hostName)
    options.admission = { request in
      // Some monitoring programs send no host, unlike browsers, so accept requests without it.
      guard let host = request.header("Host"), !names.contains(host) else { return .asGuest }
      let reason = HTTPResponse.text(
        "The state of the stream is not served under this name. Request it by a numeric address, or"
          + " by the name of the machine.\n", status: 403)
      return .rejected(reason)
    }
    return options
  }

  private static let overview =
    "aacorn \(RootCommand.version)\n\n/status   status of the stream (JSON)\n"
    + "/metrics  metrics (Prometheus)\n/healthz  200 while it is live, otherwise 503\n"

  /// Returns the reason why a stream is not live.
  static func problem(of stream: LiveSnapshot) -> String {
    if stream.sound.isStalled { return "the device delivers no audio" }
    if stream.sound.isDeviceLost { return "the device is lost" }
    if !stream.isFlowing { return "no sound arrives" }
    let down = stream.downOutputs.map { "\($0.id) (\($0.state.keyword))" }
    return down.isEmpty ? "no output is live" : "not live: " + down.joined(separator: ", ")
  }
}

struct StreamMetrics {
  private(set) var metrics = MetricsText()

  /// Creates the metrics of one stream.
  init(_ stream: LiveSnapshot) {
    self.init([(nil, stream)])
  }

  /// Creates the metrics of several streams, with their names as labels.
  init(_ streams: [(name: String?, stream: LiveSnapshot)]) {
    self.streams = streams.map { name, stream in
      (name.map { [("stream", $0)] } ?? [], stream)
    }
    metrics.add(
      "aacorn_info", .gauge, "Version of the program; always 1.",
      [([("version", RootCommand.version)], 1)])
    addStreams()
    addSound()
    addLoudness()
    addOutputs()
  }

  private typealias Label = MetricsText.Label
  private typealias Sample = MetricsText.Sample
  private let streams: [(labels: [Label], stream: LiveSnapshot)]

  private mutating func addStreams() {
    add("aacorn_healthy", .gauge, "Whether audio arrives and all servers and HLS outputs are live.")
    {
      $0.isHealthy ? 1 : 0
    }
    add(
      "aacorn_start_time_seconds", .gauge, "Time of the first sample, in seconds since 1970."
    ) { Double($0.startWallTime) / 1e9 }
    add("aacorn_sound_seconds_total", .counter, "Seconds of audio.") { $0.seconds }
    add("aacorn_frames_total", .counter, "Encoded frames.") {
      Double($0.frameCount)
    }
    add(
      "aacorn_bitrate", .gauge, "Current bitrate of the encoder, in bits per second."
    ) { $0.bitrate.map { Double($0) } }
  }

  private mutating func addSound() {
    add("aacorn_source_up", .gauge, "Whether the device is present and delivers samples.") {
      $0.isFlowing && !$0.sound.isDeviceLost ? 1 : 0
    }
    add(
      "aacorn_source_silent", .gauge,
      "Whether the source has delivered only zeros for ten seconds or more."
    ) { $0.sound.isSilent ? 1 : 0 }
    add("aacorn_gaps_total", .counter, "Gaps in the audio.") {
      Double($0.sound.gapCount)
    }
    add("aacorn_lost_samples_total", .counter, "Samples of silence that replace lost audio.") {
      Double($0.sound.filledSampleCount)
    }
    add(
      "aacorn_clock_drift_ppm", .gauge,
      "Clock drift of the device, in parts per million."
    ) { $0.sound.driftPartsPerMillion }
    add(
      "aacorn_level_dbfs", .gauge, "Highest recent sample, in decibels relative to full scale.",
      each: { stream in
        stream.levels.enumerated().map { ([("channel", "\($0 + 1)")], $1.level) }
      })
    add("aacorn_clipped_samples_total", .counter, "Samples that reached full scale.") {
      Double($0.sound.clippedSampleCount)
    }
  }

  private mutating func addLoudness() {
    add(
      "aacorn_loudness_lufs", .gauge,
      "Loudness by EBU R 128: of 400 ms, of 3 s, and of the whole stream; none for silence.",
      each: { stream in
        let loudness = stream.sound.loudness
        let windows: [(name: String, value: Float?)] = [
          ("momentary", loudness.momentary), ("short-term", loudness.shortTerm),
          ("integrated", loudness.integrated),
        ]
        return windows.compactMap { window in
          window.value.map { ([("window", window.name)], Double($0)) }
        }
      })
    add("aacorn_true_peak_dbtp", .gauge, "Maximum true peak, in decibels.") {
      Double($0.sound.loudness.truePeak)
    }
  }

  private mutating func addOutputs() {
    func samples(_ value: @escaping (OutputStatus) -> Double) -> (LiveSnapshot) -> [Sample] {
      { stream in stream.outputs.map { (Self.labels($0), value($0)) } }
    }
    add(
      "aacorn_output_up", .gauge, "Whether the output is live.",
      each: samples { $0.state == .live ? 1 : 0 })
    add(
      "aacorn_output_state", .gauge, "1 for the current state of the output, 0 for the others.",
      each: { stream in
        stream.outputs.flatMap { output in
          OutputStatus.State.keywords.map { keyword in
            (Self.labels(output) + [("state", keyword)], keyword == output.state.keyword ? 1 : 0)
          }
        }
      })
    add(
      "aacorn_output_frames_total", .counter,
      "Frames sent (including again after a reconnection) or written.",
      // A counter must never decrease, so include frames that have returned to the queue.
      each: samples { Double($0.frameCount + $0.returnedFrameCount) })
    add(
      "aacorn_output_dropped_frames_total", .counter,
      "Frames that were never sent: the queue was full, or the connection broke.",
      each: samples { Double($0.droppedFrameCount) })
    add(
      "aacorn_output_bytes_total", .counter, "Bytes sent or written.",
      each: samples { Double($0.byteCount) })
    add(
      "aacorn_output_queue_frames", .gauge, "Frames waiting in the queue.",
      each: samples { Double($0.queuedFrameCount) })
    add(
      "aacorn_output_queue_seconds", .gauge, "Duration of the frames waiting in the queue.",
      each: samples { Double($0.queuedMilliseconds) / 1000 })
    add(
      "aacorn_output_reconnects_total", .counter, "Number of reconnections.",
      each: samples { Double($0.reconnectCount) })
    add(
      "aacorn_output_segments_total", .counter, "Complete HLS segments.",
      each: { stream in
        stream.outputs.compactMap { output in
          output.segmentCount.map { (Self.labels(output), Double($0)) }
        }
      })
    add(
      "aacorn_output_dropped_segments_total", .counter,
      "HLS segments that did not reach the server in time.",
      each: { stream in
        stream.outputs.compactMap { output in
          output.droppedSegmentCount.map { (Self.labels(output), Double($0)) }
        }
      })
  }

  private static func labels(_ output: OutputStatus) -> [Label] {
    [("output", output.id), ("kind", output.kind.rawValue), ("name", output.name)]
  }

  /// Adds a metric with one sample for each stream that has a value.
  private mutating func add(
    _ name: String, _ kind: MetricsText.Kind, _ help: String, value: (LiveSnapshot) -> Double?
  ) {
    add(name, kind, help, each: { stream in value(stream).map { [([], $0)] } ?? [] })
  }

  /// Adds a metric with several samples for each stream.
  private mutating func add(
    _ name: String, _ kind: MetricsText.Kind, _ help: String,
    each samples: (LiveSnapshot) -> [Sample]
  ) {
    let all = streams.flatMap { labels, stream in
      samples(stream).map { (labels + $0.labels, $0.value) }
    }
    metrics.add(name, kind, help, all)
  }
}
