import AacornRecording
import AacornStreaming
import AacornSystem

/// A stream's numbers in Prometheus's text format (version 0.0.4).
///
///     # HELP aacorn_frames_total Frames that came out of the encoder.
///     # TYPE aacorn_frames_total counter
///     aacorn_frames_total 1234
struct StreamMetrics {
  private(set) var text = ""

  /// The value of the `Content-Type` header.
  static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  init(_ stream: StreamSnapshot) {
    addStream(stream)
    addSound(stream)
    addOutputs(stream.outputs)
  }

  private typealias Label = (name: String, value: String)
  private typealias Sample = (labels: [Label], value: Double)

  private mutating func addStream(_ stream: StreamSnapshot) {
    add(
      "aacorn_info", .gauge, "Which program this is; always 1.",
      [([("version", RootCommand.version)], 1)])
    add(
      "aacorn_healthy", .gauge, "Whether sound arrives and at least one output is live.",
      stream.isHealthy)
    add(
      "aacorn_start_time_seconds", .gauge, "When the first sample arrived, in seconds since 1970.",
      Double(stream.startWallTime) / 1e9)
    add("aacorn_sound_seconds_total", .counter, "Seconds of sound.", stream.seconds)
    add(
      "aacorn_frames_total", .counter, "Frames that came out of the encoder.",
      Double(stream.frameCount))
    if let bitrate = stream.bitrate {
      add(
        "aacorn_bitrate", .gauge, "Bits per second of the encoder, which follow the network.",
        Double(bitrate))
    }
  }

  private mutating func addSound(_ stream: StreamSnapshot) {
    add(
      "aacorn_source_up", .gauge, "Whether the device is present and delivers samples.",
      stream.isFlowing && !stream.isDeviceLost)
    add(
      "aacorn_gaps_total", .counter, "Stretches of sound that were lost or left out.",
      Double(stream.gapCount))
    add(
      "aacorn_lost_samples_total", .counter, "Samples of silence in place of lost sound.",
      Double(stream.lostSampleCount))
    if let drift = stream.drift {
      add(
        "aacorn_clock_drift_ppm", .gauge,
        "How much faster than its nominal rate the device runs, in parts per million.", drift)
    }
    add(
      "aacorn_level_dbfs", .gauge, "Highest recent sample, in decibels relative to full scale.",
      stream.levels.enumerated().map { ([("channel", "\($0 + 1)")], $1.level) })
    add(
      "aacorn_clipped_samples_total", .counter, "Samples that reached full scale.",
      Double(stream.clippedSampleCount))
    addLoudness(stream.loudness)
  }

  private mutating func addLoudness(_ loudness: RecordingLoudness) {
    var samples: [Sample] = []
    func put(_ window: String, _ value: Float?) {
      if let value { samples.append(([("window", window)], Double(value))) }
    }
    put("momentary", loudness.momentary)
    put("short-term", loudness.shortTerm)
    put("integrated", loudness.integrated)
    add(
      "aacorn_loudness_lufs", .gauge,
      "Loudness by EBU R 128: of 400 ms, of 3 s, and of all so far; silence has none.", samples)
    add(
      "aacorn_true_peak_dbtp", .gauge, "Highest true peak so far, in decibels.",
      Double(loudness.truePeak))
  }

  private mutating func addOutputs(_ outputs: [OutputStatus]) {
    func samples(_ value: (OutputStatus) -> Double) -> [Sample] {
      outputs.map { (Self.labels($0), value($0)) }
    }
    add(
      "aacorn_output_up", .gauge, "Whether frames flow into the output.",
      samples { $0.state == .live ? 1 : 0 })
    add(
      "aacorn_output_state", .gauge, "1 for the state that the output is in, 0 for the others.",
      outputs.flatMap { output in
        OutputStatus.State.words.map { word in
          (Self.labels(output) + [("state", word)], word == output.state.word ? 1 : 0)
        }
      })
    add(
      "aacorn_output_frames_total", .counter,
      "Frames sent (including again after a reconnection) or written.",
      // A counter must never decrease.
      samples { Double($0.frameCount + $0.returnedFrameCount) })
    add(
      "aacorn_output_dropped_frames_total", .counter,
      "Frames that were never sent: the queue was full, or the connection broke.",
      samples { Double($0.droppedFrameCount) })
    add(
      "aacorn_output_bytes_total", .counter, "Bytes sent or written.",
      samples { Double($0.byteCount) })
    add(
      "aacorn_output_queue_frames", .gauge, "Frames waiting in the queue.",
      samples { Double($0.queuedFrameCount) })
    add(
      "aacorn_output_queue_seconds", .gauge, "Duration of the frames waiting in the queue.",
      samples { Double($0.queuedMilliseconds) / 1000 })
    add(
      "aacorn_output_reconnects_total", .counter,
      "Number of reconnections.", samples { Double($0.reconnectCount) })
    add(
      "aacorn_output_segments_total", .counter, "Complete HLS segments.",
      outputs.compactMap { output in
        output.segmentCount.map { (Self.labels(output), Double($0)) }
      })
  }

  private static func labels(_ output: OutputStatus) -> [Label] {
    [("output", output.id), ("kind", output.kind.rawValue), ("name", output.name)]
  }

  // MARK: - The format

  private enum Kind: String { case counter, gauge }

  private mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
    add(name, kind, help, [([], value)])
  }

  private mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Bool) {
    add(name, kind, help, value ? 1 : 0)
  }

  private mutating func add(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
    // A name without a sample would be legal but useless.
    if samples.isEmpty { return }
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    for sample in samples {
      let labels = sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }
      text += name + (labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}")
      text += " \(Self.number(sample.value))\n"
    }
  }

  /// Backslash, quote and line feed are escaped in labels.
  private static func escaped(_ value: String) -> String {
    var result = ""
    for scalar in displayed(value.replacing("\n", with: " ")).unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\"
      case "\"": result += "\\\""
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
    return value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
  }
}
