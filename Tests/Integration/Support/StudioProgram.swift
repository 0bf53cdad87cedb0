import Foundation
import SoundRigs
import StreamRigs
import Testing

/// An `aacorn studio` that serves.
struct StudioProgram {
  let run: Program.Run
  let port: Int
  /// What the studio prints to be opened.
  let url: String
  /// What lets a request in; nil where the test has none.
  let admission: String?

  private static let token = "0123456789abcdef0123456789abcdef"

  /// Starts one with recordings in a folder, or in one within it, and unless told with a token that
  /// is known.
  init(
    _ arguments: [String] = [], hasToken: Bool = true, in folder: WorkFolder,
    recordings: String = ".",
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws {
    var environment = environment
    environment["AACORN_STUDIO_TOKEN"] = hasToken ? Self.token : nil
    admission = hasToken ? "Authorization: Bearer \(Self.token)" : nil
    run = try Program.aacorn.get().start(
      ["studio", "--json", "--port", "0", "--folder", recordings] + arguments, in: folder,
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

  /// The answer to a request of the studio's own page, with its headers; a header takes the place
  /// of what lets it in.
  func ask(
    _ method: String, _ path: String, _ fields: String = "", header: String? = nil
  ) throws -> String {
    let header = header ?? admission ?? "Accept: */*"
    let connection = try #require(TCPConnection(toPort: port))
    defer { connection.close() }
    connection.write(
      Array(
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
        """.utf8))
    var bytes: [UInt8] = []
    while let next = connection.read() { bytes += next }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Waits until the studio's state has a text in it.
  func waitForState(_ text: String) throws -> Bool {
    try comesTrue { try ask("GET", "/api/state").contains(text) }
  }

  /// Asks it to end, and expects that it does so in order.
  func end() throws -> Program.Outcome {
    run.signal(SIGTERM)
    let outcome = try run.wait()
    #expect(outcome.status == 0 && !outcome.wasKilled, "\(outcome.errors)")
    return outcome
  }
}
