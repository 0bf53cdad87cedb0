import Foundation
import SoundRigs
import StreamRigs
import Testing

/// `aacorn stream` as a process, with a folder of its own.
struct StreamProgram {
  let folder: WorkFolder

  init() throws {
    folder = try WorkFolder()
  }

  /// Starts it with a tone and events as JSON.
  func start(
    _ arguments: [String], _ environment: [String: String] = [:]
  ) throws -> Program.Run {
    let base = ["PATH": "/usr/sbin:/usr/bin:/bin", "HOME": folder.path, "TERM": "dumb"]
    return try Program.aacorn.get().start(
      ["stream", "--json", "--device", "tone", "--rate", "48000"] + arguments, in: folder,
      environment: base.merging(environment) { $1 })
  }

  /// The environment with the password of the Icecast of tests.
  static var password: [String: String] {
    ["AACORN_ICECAST_PASSWORD": IcecastServer.password]
  }

  /// Waits until an output has been in a state for so many times.
  static func wait(
    _ run: Program.Run, until output: String, is state: String, times: Int = 1
  ) -> Bool {
    comesTrue {
      events(in: run.outputSoFar).count {
        $0["output"] as? String == output && $0["state"] as? String == state
      } >= times || !run.isRunning
    } && run.isRunning
  }

  static func events(in text: String) -> [[String: Any]] {
    text.split(separator: "\n").compactMap { line in
      (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any]
    }
  }

  /// The last event, and in it the outputs by their names.
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

  /// Where a run says that it serves something.
  static func url(of service: String, in run: Program.Run) throws -> URL {
    func event() -> [String: Any]? {
      events(in: run.outputSoFar).first { $0["service"] as? String == service }
    }
    #expect(comesTrue { event() != nil || !run.isRunning })
    return try #require((event()?["url"] as? String).flatMap { URL(string: $0) })
  }

  /// How many frames an output of a run with `--listen-status` has taken.
  static func sentCount(_ output: String, of run: Program.Run) -> Int {
    number("frames", of: output, in: run)
  }

  /// What the status of a run with `--listen-status` says of an output under a key, or 0.
  static func number(_ key: String, of output: String, in run: Program.Run) -> Int {
    guard let answer = try? get("/status", of: "status", in: run),
      let start = answer.firstRange(of: "\r\n\r\n")?.upperBound,
      let status = try? JSONSerialization.jsonObject(with: Data(answer[start...].utf8)),
      let outputs = (status as? [String: Any])?["outputs"] as? [[String: Any]]
    else { return 0 }
    return outputs.first { $0["output"] as? String == output }?[key] as? Int ?? 0
  }

  /// The whole answer of a server of a run, head and body.
  static func get(_ path: String, of service: String, in run: Program.Run) throws -> String {
    let port = try url(of: service, in: run).port ?? 0
    guard let connection = TCPConnection(toPort: port) else {
      throw RigFailure("Nothing listens at port \(port).")
    }
    defer { connection.close() }
    #expect(connection.write(Array("GET \(path) HTTP/1.0\r\nHost: localhost\r\n\r\n".utf8)))
    var bytes: [UInt8] = []
    while let more = connection.read() { bytes += more }
    return String(decoding: bytes, as: UTF8.self)
  }
}
