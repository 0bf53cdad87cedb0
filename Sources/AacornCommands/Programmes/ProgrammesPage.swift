import AacornRecording
import AacornWeb

/// Answers to programs that monitor many programmes.
enum ProgrammesPage {
  /// How often the file was read again, and how that went.
  struct Reloads: Sendable, Equatable {
    var count = 0
    var refusedCount = 0
    /// When the programmes of now were read, in nanoseconds since 1970.
    var wallTime: Int64 = 0
    var isLastRefused = false
  }

  /// The answer to a request.
  static func response(
    to request: HTTPRequest, _ programmes: [ProgrammeSnapshot], _ reloads: Reloads
  ) -> HTTPResponse {
    guard request.method == "GET" || request.method == "HEAD" else {
      return .methodNotAllowed(["GET", "HEAD"])
    }
    var response: HTTPResponse
    let parts = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    let programme = parts.count == 2 ? programmes.first { $0.name == parts.last ?? "" } : nil
    switch (parts.first ?? "", parts.count, programme) {
    case ("", 1, _): response = .text(overview)
    case ("status", 1, _): response = .text(json(programmes).encoded + "\n", type: jsonType)
    case ("status", 2, let programme?):
      response = .text(JSONValue.object(programme.members).encoded + "\n", type: jsonType)
    case ("metrics", 1, _):
      response = .text(metrics(programmes, reloads), type: StreamMetrics.contentType)
    case ("healthz", 1, _): response = health(of: programmes)
    case ("healthz", 2, let programme?): response = health(of: [programme])
    default: return .notFound
    }
    response.headers.append(HTTPField("Cache-Control", "no-store"))
    return response
  }

  private static let jsonType = "application/json; charset=utf-8"

  private static let overview =
    "aacorn \(RootCommand.version)\n\n/status        how all programmes are doing, as JSON\n"
    + "/status/NAME   how one of them is doing\n/metrics       numbers for Prometheus\n"
    + "/healthz       200 while all can be heard, otherwise 503 and those that cannot\n"
    + "/healthz/NAME  the same of one of them\n"

  private static func health(of programmes: [ProgrammeSnapshot]) -> HTTPResponse {
    let others = programmes.filter { !$0.isHealthy }
    if others.isEmpty { return .text("ok\n") }
    let lines = others.map { "\($0.name): \($0.trouble)\n" }
    return .text(lines.joined(), status: 503)
  }

  private static func json(_ programmes: [ProgrammeSnapshot]) -> JSONValue {
    .object([
      .init("healthy", .flag(programmes.allSatisfy(\.isHealthy))),
      .init("version", .text(RootCommand.version)),
      .init("programmes", .list(programmes.map { .object($0.members) })),
    ])
  }

  private static func metrics(_ programmes: [ProgrammeSnapshot], _ reloads: Reloads) -> String {
    var metrics = StreamMetrics(programmes.map { ($0.name, $0.stream) })
    func samples(
      _ value: (ProgrammeSnapshot) -> Double
    ) -> [(labels: [(name: String, value: String)], value: Double)] {
      programmes.map { ([("programme", $0.name)], value($0)) }
    }
    metrics.add(
      "aacorn_programme_up", .gauge, "Whether it can be heard, or has ended as it should.",
      samples { $0.isHealthy ? 1 : 0 })
    metrics.add(
      "aacorn_programme_state", .gauge, "1 for the state that it is in, 0 for the others.",
      programmes.flatMap { programme in
        ProgrammeState.words.map { word in
          (
            labels: [("programme", programme.name), ("state", word)],
            value: word == programme.state.word ? 1 : 0
          )
        }
      })
    metrics.add(
      "aacorn_programme_restarts_total", .counter, "How often it began again.",
      samples { Double($0.restartCount) })
    for (name, kind, help, value) in [
      (
        "aacorn_config_reloads_total", StreamMetrics.Kind.counter,
        "How often the file was read again.", Double(reloads.count)
      ),
      (
        "aacorn_config_refused_reloads_total", .counter,
        "How often nothing changed because of a mistake in it.", Double(reloads.refusedCount)
      ),
      (
        "aacorn_config_last_reload_successful", .gauge, "Whether it had no mistake the last time.",
        reloads.isLastRefused ? 0 : 1
      ),
      (
        "aacorn_config_last_reload_success_timestamp_seconds", .gauge,
        "When the programmes of now were read, in seconds since 1970.",
        Double(reloads.wallTime) / 1e9
      ),
    ] {
      metrics.add(name, kind, help, [([], value)])
    }
    return metrics.text
  }
}

extension ProgrammeSnapshot {
  /// Everything, for programs; keys keep their names and order.
  fileprivate var members: [JSONValue.Member] {
    [
      .init("programme", .text(name)), .init("state", .text(state.word)),
      .init("healthy", .flag(isHealthy)), .init("restarts", .integer(restartCount)),
      .init("lastCode", .optional(lastStatus.map { Int($0.code) })), .init("stream", stream.json),
    ]
  }

  /// Why it cannot be heard.
  fileprivate var trouble: String {
    switch state {
    case .running: StatusPage.trouble(of: stream)
    case .ready: "waits for another programme to end"
    case .waiting: "begins again soon"
    case .over: "has failed"
    }
  }
}
