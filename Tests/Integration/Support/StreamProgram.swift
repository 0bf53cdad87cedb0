import Foundation
import SoundRigs
import StreamRigs
import Testing

/// A process of `aacorn stream` with its own folder.
struct StreamProgram {
  let folder = WorkFolder()

  /// Starts the process with a tone as the input and JSON events.
  func start(
    _ arguments: [String], _ environment: [String: String] = [:]
  ) throws -> Program.Run {
    let base = ["PATH": "/usr/sbin:/usr/bin:/bin", "HOME": folder.path, "TERM": "dumb"]
    return try Program.aacorn.get().start(
      ["stream", "--json", "--device", "tone", "--rate", "48000"] + arguments, in: folder,
      environment: base.merging(environment) { $1 })
  }

  /// An environment with the password of the test Icecast server.
  static var password: [String: String] {
    ["AACORN_ICECAST_PASSWORD": IcecastServer.password]
  }

  /// Waits until an output has entered a state.
  static func wait(_ run: Program.Run, until output: String, is state: String) -> Bool {
    eventually {
      events(in: run.outputSoFar).contains {
        $0["output"] as? String == output && $0["state"] as? String == state
      } || !run.isRunning
    } && run.isRunning
  }

  static func events(in text: String) -> [[String: Any]] {
    text.split(separator: "\n").compactMap { line in
      (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any]
    }
  }

  /// The last event, and its outputs by name.
  static func report(
    _ outcome: Program.Outcome
  ) throws -> (event: [String: Any], outputs: [String: [String: Any]]) {
    let event = try #require(events(in: outcome.text).last)
    #expect(event["event"] as? String == "stopped")
    var outputs: [String: [String: Any]] = [:]
    for output in event["outputs"] as? [[String: Any]] ?? [] {
      outputs[output["output"] as? String ?? ""] = output
    }
    return (event, outputs)
  }

  /// The URL of a service that a run has printed.
  static func url(of service: String, in run: Program.Run) throws -> URL {
    func event() -> [String: Any]? {
      events(in: run.outputSoFar).first { $0["service"] as? String == service }
    }
    #expect(eventually { event() != nil || !run.isRunning })
    return try #require((event()?["url"] as? String).flatMap { URL(string: $0) })
  }

  /// The number of frames that an output has sent, from the status of a run with `--listen-status`.
  static func sentCount(_ output: String, of run: Program.Run) -> Int {
    guard let answer = try? get("/status", of: "status", in: run),
      let start = answer.firstRange(of: "\r\n\r\n")?.upperBound,
      let status = try? JSONSerialization.jsonObject(with: Data(answer[start...].utf8)),
      let outputs = (status as? [String: Any])?["outputs"] as? [[String: Any]]
    else { return 0 }
    return outputs.first { $0["output"] as? String == output }?["frames"] as? Int ?? 0
  }

  /// The complete response of a run's server, header and body.
  static func get(_ path: String, of service: String, in run: Program.Run) throws -> String {
    let client = try HTTPClient(port: url(of: service, in: run).port ?? 0)
    #expect(client.send("GET \(path) HTTP/1.0\r\nHost: localhost\r\n\r\n"))
    return String(decoding: try client.receiveAll(), as: UTF8.self)
  }
}
