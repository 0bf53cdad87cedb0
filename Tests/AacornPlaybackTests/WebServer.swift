import AacornSystem
import StreamRigs

/// A local web server whose responses a test defines, with a thread for each request.
final class WebServer: Sendable {
  struct Question: Sendable {
    var target: String
    /// The number of requests for this target, including this one.
    var number: Int
    /// The value after `Range: bytes=`; nil if the request is for the whole file.
    var range: String?

    var start: Int { range.flatMap { Int($0.prefix { $0 != "-" }) } ?? 0 }
    /// The end of the requested range, exclusive; nil for the end of the file.
    var end: Int? {
      guard let range, let last = range.split(separator: "-").dropFirst().first else { return nil }
      return Int(last).map { $0 + 1 }
    }
  }

  private let server: TCPServer
  private let asked: Lock<[Question]>

  /// Starts a server.
  ///
  /// `answer` writes to the connection, which is closed when it returns.
  init(_ answer: @escaping @Sendable (Question, TCPConnection) -> Void) throws {
    let asked = Lock<[Question]>([])
    self.asked = asked
    server = try TCPServer { connection in
      guard let head = connection.read(through: "\r\n\r\n") else { return }
      let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
      let words = lines.first?.split(separator: " ") ?? []
      let mark = "Range: bytes="
      let range = lines.first { $0.hasPrefix(mark) }?.dropFirst(mark.count)
      let target = words.count > 1 ? String(words[1]) : ""
      let question = asked.withLock { asked in
        let number = asked.count(where: { $0.target == target }) + 1
        let question = Question(
          target: target, number: number, range: range.map { String($0) })
        asked.append(question)
        return question
      }
      answer(question, connection)
    }
  }

  deinit { server.stop() }

  /// All requests, in order.
  var questions: [Question] { asked.withLock { $0 } }

  func count(_ target: String) -> Int { questions.count(where: { $0.target == target }) }

  var port: Int { server.port }

  func address(_ target: String) -> String { "http://127.0.0.1:\(port)\(target)" }
}

extension TCPConnection {
  func writeHead(_ status: String, _ headers: [String] = []) {
    let lines = ["HTTP/1.1 \(status)"] + headers + ["", ""]
    write(Array(lines.joined(separator: "\r\n").utf8))
  }

  /// Writes a response with its length.
  func answer(_ body: [UInt8], _ status: String = "200 OK", _ headers: [String] = []) {
    writeHead(status, ["Content-Length: \(body.count)"] + headers)
    write(body)
  }

  /// Writes a response that ends after `count` bytes, too early.
  func answer(_ body: [UInt8], brokenAfter count: Int) {
    writeHead("200 OK", ["Content-Length: \(body.count)"])
    write(Array(body[..<count]))
  }

  /// Writes a live stream, with the title “one” after each `interval` bytes.
  func writeLive(_ body: [UInt8], interval: Int?, _ headers: [String] = []) {
    writeHead("200 OK", headers + (interval.map { ["icy-metaint: \($0)"] } ?? []))
    var rest = body[...]
    while let interval, rest.count >= interval {
      write(Array(rest.prefix(interval)) + icyTitle("one"))
      rest = rest.dropFirst(interval)
    }
    write(Array(rest))
  }

  /// Writes the requested part of the audio, or all of it.
  func answer(_ question: WebServer.Question, of sound: [UInt8], _ headers: [String] = []) {
    guard question.range != nil else { return answer(sound, "200 OK", headers) }
    let end = min(sound.count, question.end ?? sound.count)
    let start = min(question.start, end)
    answer(
      Array(sound[start..<end]), "206 Partial Content",
      ["Content-Range: bytes \(start)-\(end - 1)/\(sound.count)"] + headers)
  }

  func answer(_ lines: [String]) {
    answer(
      Array(lines.joined(separator: "\n").utf8), "200 OK",
      ["Content-Type: application/vnd.apple.mpegurl"])
  }

  func refuse(_ status: String) { answer([], status) }

  /// Writes chunks of `size` bytes, without the final empty chunk.
  func writeChunks(_ bytes: [UInt8], by size: Int) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(size)
      var chunk = Array("\(String(piece.count, radix: 16))\r\n".utf8)
      chunk += piece
      chunk += Array("\r\n".utf8)
      write(chunk)
      rest = rest.dropFirst(piece.count)
    }
  }

  /// Sends nothing until the client disconnects.
  func stall() { while read() != nil {} }
}

/// Returns a title of three letters between the audio of a live stream.
func icyTitle(_ name: String) -> [UInt8] {
  Array("\u{2}StreamTitle='\(name)';".utf8) + [UInt8](repeating: 0, count: 14)
}

/// Returns bytes that differ between positions.
func noise(_ count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) }
}
