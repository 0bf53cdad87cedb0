import Foundation
import SoundRigs
import StreamRigs
import Testing

/// A running `aacorn studio`.
struct StudioProgram {
  let run: Program.Run
  let port: Int
  /// The address that the studio prints.
  let url: String
  /// The header that authorizes a request, or nil without a token.
  let admission: String?

  private static let token = "0123456789abcdef0123456789abcdef"

  /// Starts a studio that records into a folder, by default with a known token.
  init(
    _ arguments: [String] = [], hasToken: Bool = true, in folder: WorkFolder,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws {
    var environment = environment
    environment["AACORN_STUDIO_TOKEN"] = hasToken ? Self.token : nil
    admission = hasToken ? "Authorization: Bearer \(Self.token)" : nil
    run = try Program.aacorn.get().start(
      ["studio", "--json", "--port", "0", "--folder", "."] + arguments, in: folder,
      environment: environment)
    #expect(run.waitFor("\"listening\""))
    struct Start: Decodable {
      var port: Int
      var url: String
    }
    let line = Data(run.outputSoFar.prefix { $0 != "\n" }.utf8)
    let start = try JSONDecoder().decode(Start.self, from: line)
    (port, url) = (start.port, start.url)
  }

  /// The response to a request of the studio's page, with its headers.
  ///
  /// `header` replaces the authorization.
  func ask(
    _ method: String, _ path: String, _ fields: String = "", header: String? = nil
  ) throws -> String {
    let header = header ?? admission ?? "Accept: */*"
    let client = try HTTPClient(port: port)
    client.send(
      """
      \(method) \(path) HTTP/1.1\r
      Host: localhost:\(port)\r
      X-Aacorn: studio\r
      \(header)\r
      Connection: close\r
      Content-Type: application/x-www-form-urlencoded\r
      Content-Length: \(fields.utf8.count)\r
      \r
      \(fields)
      """)
    return String(decoding: try client.receiveAll(), as: UTF8.self)
  }

  /// Sends a page's request to record the tune.
  func record(_ fields: String) throws {
    let answer = try ask("POST", "/api/record", "device=tone&" + fields)
    #expect(answer.hasPrefix("HTTP/1.1 200"), "\(answer)")
  }

  /// The recorded duration in seconds.
  var seconds: Double {
    let answer = (try? ask("GET", "/api/state")) ?? ""
    guard let head = answer.firstRange(of: "\r\n\r\n") else { return 0 }
    let body = Data(answer[head.upperBound...].utf8)
    let state = (try? JSONSerialization.jsonObject(with: body)) as? [String: Any]
    let recording = state?["recording"] as? [String: Any]
    let outputs = recording?["outputs"] as? [[String: Any]] ?? []
    let file = outputs.first { $0["kind"] as? String == "file" }
    return Double(file?["sent"] as? Int ?? 0) * 1024 / 48_000
  }

  /// Waits until the studio's state contains a text.
  func waitForState(_ text: String) throws -> Bool {
    try eventually { try ask("GET", "/api/state").contains(text) }
  }

  /// Stops the studio, and expects a successful exit.
  func end() throws -> Program.Outcome {
    try run.end(SIGTERM)
  }
}
