import AacornContainers
import AacornNetwork
import AacornRecording
import AacornStreaming
import AacornSystem

/// HTTP responses about the state of a stream.
enum StatusPage {
  static func response(to request: HTTPRequest, _ stream: LiveSnapshot) -> HTTPResponse {
    guard request.method == "GET" || request.method == "HEAD" else {
      return .methodNotAllowed(["GET", "HEAD"])
    }
    var response: HTTPResponse
    switch request.path {
    case "/": response = .text(overview)
    case "/status":
      response = .text(stream.json.encoded + "\n", type: "application/json; charset=utf-8")
    case "/metrics":
      response = .text(MetricsText(stream).text, type: MetricsText.contentType)
    case "/healthz":
      response =
        stream.isHealthy ? .text("ok\n") : .text(problem(of: stream) + "\n", status: 503)
    default: return .notFound
    }
    response.headers.append(HTTPField("Cache-Control", "no-store"))
    return response
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
  private static func problem(of stream: LiveSnapshot) -> String {
    if stream.sound.isStalled { return "the device delivers no audio" }
    if stream.sound.isDeviceLost { return "the device is lost" }
    if !stream.isFlowing { return "no sound arrives" }
    let down = stream.downOutputs.map { "\($0.id) (\($0.state.keyword))" }
    return down.isEmpty ? "no output is live" : "not live: " + down.joined(separator: ", ")
  }
}

extension MetricsText {
  /// Creates the metrics of a stream.
  init(_ stream: LiveSnapshot) {
    add(
      "aacorn_info", .gauge, "Version of the program; always 1.",
      [([("version", RootCommand.version)], 1)])
    addState(of: stream)
    addSound(of: stream)
    addLoudness(stream.sound.loudness)
    addOutputs(of: stream)
  }

  private mutating func addState(of stream: LiveSnapshot) {
    add(
      "aacorn_healthy", .gauge, "Whether audio arrives and all servers and HLS outputs are live.",
      stream.isHealthy ? 1 : 0)
    add(
      "aacorn_start_time_seconds", .gauge, "Time of the first sample, in seconds since 1970.",
      Double(stream.startWallTime) / 1e9)
    add("aacorn_sound_seconds_total", .counter, "Seconds of audio.", stream.seconds)
    add("aacorn_frames_total", .counter, "Encoded frames.", Double(stream.frameCount))
    add(
      "aacorn_bitrate", .gauge, "Current bitrate of the encoder, in bits per second.",
      stream.bitrate.map { Double($0) })
  }

  private mutating func addSound(of stream: LiveSnapshot) {
    let sound = stream.sound
    add(
      "aacorn_source_up", .gauge, "Whether the device is present and delivers samples.",
      stream.isFlowing && !sound.isDeviceLost ? 1 : 0)
    add(
      "aacorn_source_silent", .gauge,
      "Whether the source has delivered only zeros for ten seconds or more.",
      sound.isSilent ? 1 : 0)
    add("aacorn_gaps_total", .counter, "Gaps in the audio.", Double(sound.gapCount))
    add(
      "aacorn_lost_samples_total", .counter, "Samples of silence that replace lost audio.",
      Double(sound.filledSampleCount))
    add(
      "aacorn_clock_drift_ppm", .gauge, "Clock drift of the device, in parts per million.",
      sound.driftPartsPerMillion)
    add(
      "aacorn_level_dbfs", .gauge, "Highest recent sample, in decibels relative to full scale.",
      stream.levels.enumerated().map { ([("channel", "\($0 + 1)")], $1.level) })
    add(
      "aacorn_clipped_samples_total", .counter, "Samples that reached full scale.",
      Double(sound.clippedSampleCount))
  }

  private mutating func addLoudness(_ loudness: RecordingLoudness) {
    let windows: [(name: String, value: Float?)] = [
      ("momentary", loudness.momentary), ("short-term", loudness.shortTerm),
      ("integrated", loudness.integrated),
    ]
    add(
      "aacorn_loudness_lufs", .gauge,
      "Loudness by EBU R 128: of 400 ms, of 3 s, and of the whole stream; none for silence.",
      windows.compactMap { window in
        window.value.map { ([("window", window.name)], Double($0)) }
      })
    add(
      "aacorn_true_peak_dbtp", .gauge, "Maximum true peak, in decibels.",
      Double(loudness.truePeak))
  }

  private mutating func addOutputs(of stream: LiveSnapshot) {
    func addOutputs(
      _ name: String, _ kind: Kind, _ help: String, value: (OutputStatus) -> Double?
    ) {
      add(
        name, kind, help,
        stream.outputs.compactMap { output in value(output).map { (Self.labels(output), $0) } })
    }
    addOutputs("aacorn_output_up", .gauge, "Whether the output is live.") {
      $0.state == .live ? 1 : 0
    }
    add(
      "aacorn_output_state", .gauge, "1 for the current state of the output, 0 for the others.",
      stream.outputs.flatMap { output in
        OutputStatus.State.keywords.map { keyword in
          (Self.labels(output) + [("state", keyword)], keyword == output.state.keyword ? 1 : 0)
        }
      })
    // A counter must never decrease, so include frames that have returned to the queue.
    addOutputs(
      "aacorn_output_frames_total", .counter,
      "Frames sent (including again after a reconnection) or written."
    ) { Double($0.frameCount + $0.returnedFrameCount) }
    addOutputs(
      "aacorn_output_dropped_frames_total", .counter,
      "Frames that were never sent: the queue was full, or the connection broke."
    ) { Double($0.droppedFrameCount) }
    addOutputs("aacorn_output_bytes_total", .counter, "Bytes sent or written.") {
      Double($0.byteCount)
    }
    addOutputs("aacorn_output_queue_frames", .gauge, "Frames waiting in the queue.") {
      Double($0.queuedFrameCount)
    }
    addOutputs(
      "aacorn_output_queue_seconds", .gauge, "Duration of the frames waiting in the queue."
    ) { Double($0.queuedMilliseconds) / 1000 }
    addOutputs("aacorn_output_reconnects_total", .counter, "Number of reconnections.") {
      Double($0.reconnectCount)
    }
    addOutputs("aacorn_output_segments_total", .counter, "Complete HLS segments.") {
      $0.segmentCount.map { Double($0) }
    }
    addOutputs(
      "aacorn_output_dropped_segments_total", .counter,
      "HLS segments that did not reach the server in time."
    ) { $0.droppedSegmentCount.map { Double($0) } }
  }

  private static func labels(_ output: OutputStatus) -> [Label] {
    [("output", output.id), ("kind", output.kind.rawValue), ("name", output.name)]
  }

  /// Adds a metric with one sample, unless its value is nil.
  private mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Double?) {
    add(name, kind, help, value.map { [([], $0)] } ?? [])
  }
}
