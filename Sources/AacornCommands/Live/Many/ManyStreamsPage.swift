import AacornNetwork
import AacornRecording

/// HTTP responses about the state of many streams.
enum ManyStreamsPage {
  /// The number and the results of reloads of the file.
  struct Reloads: Sendable, Equatable {
    var count = 0
    var refusedCount = 0
    /// The time at which the current streams were read, in nanoseconds since 1970.
    var wallTime: Int64 = 0
    var isLastRefused = false
  }

  /// Returns the response to a request.
  ///
  /// `leaving` are streams that were removed from the file and have not ended yet.
  static func response(
    to request: HTTPRequest, _ entries: [StreamEntrySnapshot], _ reloads: Reloads,
    leaving: [StreamEntrySnapshot] = []
  ) -> HTTPResponse {
    StatusPage.answer(request) {
      let parts = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      let entry = parts.count == 2 ? entries.first { $0.name == parts.last ?? "" } : nil
      switch (parts.first ?? "", parts.count, entry) {
      case ("", 1, _): return .text(overview)
      case ("status", 1, _): return StatusPage.json(json(entries, leaving))
      case ("status", 2, let entry?): return StatusPage.json(entry.json)
      case ("metrics", 1, _):
        return .text(metrics(entries, leaving, reloads), type: MetricsText.contentType)
      case ("healthz", 1, _): return health(of: entries)
      case ("healthz", 2, let entry?): return health(of: [entry])
      default: return nil
      }
    }
  }

  private static let overview =
    "aacorn \(RootCommand.version)\n\n/status        status of all streams (JSON)\n"
    + "/status/NAME   status of one stream (JSON)\n/metrics       metrics (Prometheus)\n"
    + "/healthz       200 while all streams are live, otherwise 503 and the others\n"
    + "/healthz/NAME  health of one stream\n"

  private static func health(of entries: [StreamEntrySnapshot]) -> HTTPResponse {
    let others = entries.filter { !$0.isHealthy }
    if others.isEmpty { return .text("ok\n") }
    let lines = others.map { "\($0.name): \($0.problem)\n" }
    return .text(lines.joined(), status: 503)
  }

  private static func json(
    _ entries: [StreamEntrySnapshot], _ leaving: [StreamEntrySnapshot]
  ) -> JSONValue {
    [
      "healthy": .flag(entries.allSatisfy(\.isHealthy)), "version": .text(RootCommand.version),
      "streams": .list(entries.map { $0.json }), "leaving": .list(leaving.map { $0.json }),
    ]
  }

  private static func metrics(
    _ entries: [StreamEntrySnapshot], _ leaving: [StreamEntrySnapshot], _ reloads: Reloads
  ) -> String {
    var metrics = StreamMetrics(entries.map { ($0.name, $0.details) }).metrics
    func samples(_ value: (StreamEntrySnapshot) -> Double) -> [MetricsText.Sample] {
      entries.map { ([("stream", $0.name)], value($0)) }
    }
    metrics.add(
      "aacorn_stream_up", .gauge, "Whether the stream is live or has ended normally.",
      samples { $0.isHealthy ? 1 : 0 })
    metrics.add(
      "aacorn_stream_state", .gauge, "1 for the current state of the stream, 0 for the others.",
      entries.flatMap { entry in
        StreamEntryState.allCases.map { state in
          ([("stream", entry.name), ("state", state.rawValue)], state == entry.state ? 1 : 0)
        }
      })
    metrics.add(
      "aacorn_stream_restarts_total", .counter, "Number of restarts.",
      samples { Double($0.restartCount) })
    var counts: [String: Int] = [:]
    for entry in leaving { counts[entry.name, default: 0] += 1 }
    metrics.add(
      "aacorn_stream_leaving", .gauge, "Removed streams that have not ended yet.",
      counts.sorted { $0.key < $1.key }.map { ([("stream", $0.key)], Double($0.value)) })
    for (name, kind, help, value) in [
      (
        "aacorn_config_reloads_total", MetricsText.Kind.counter,
        "Number of times the file was read again.", Double(reloads.count)
      ),
      (
        "aacorn_config_refused_reloads_total", .counter,
        "Number of reloads rejected because of a mistake in the file.", Double(reloads.refusedCount)
      ),
      (
        "aacorn_config_last_reload_successful", .gauge, "Whether the last reload had no mistakes.",
        reloads.isLastRefused ? 0 : 1
      ),
      (
        "aacorn_config_last_reload_success_timestamp_seconds", .gauge,
        "Time at which the current streams were read, in seconds since 1970.",
        Double(reloads.wallTime) / 1e9
      ),
    ] {
      metrics.add(name, kind, help, [([], value)])
    }
    return metrics.text
  }
}

extension StreamEntrySnapshot {
  /// All properties as JSON.
  fileprivate var json: JSONValue {
    [
      "stream": .text(name), "state": .text(state.rawValue), "healthy": .flag(isHealthy),
      "restarts": .integer(restartCount), "lastCode": .optional(lastStatus.map { Int($0.code) }),
      "details": details.json,
    ]
  }

  /// The reason why the stream is not live.
  fileprivate var problem: String {
    switch state {
    case .running: StatusPage.problem(of: details)
    case .ready: "has not started yet"
    case .waiting: "restarts soon"
    case .ended, .stopped: "an output has failed"
    case .failed: "has failed"
    }
  }
}
