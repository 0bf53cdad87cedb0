import AacornSystem
import StreamRigs

/// A server of the web on this computer that answers as a test says, on a thread for each question.
final class WebServer: Sendable {
  /// What somebody asks for.
  struct Question: Sendable {
    /// Path and query.
    var target: String
    /// How often the same has been asked for, this time included.
    var number: Int
    /// What stands behind `Range: bytes=`; nil if all is asked for.
    var range: String?

    /// The first byte that is asked for.
    var start: Int { range.flatMap { Int($0.prefix { $0 != "-" }) } ?? 0 }
    /// The byte behind the last one; nil for the end.
    var end: Int? {
      guard let range, let last = range.split(separator: "-").dropFirst().first else { return nil }
      return Int(last).map { $0 + 1 }
    }
  }

  private let server: TCPServer
  private let asked: Lock<[Question]>

  /// A server; `answer` writes into the connection, which ends when it returns.
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

  /// What has been asked for, in order.
  var questions: [Question] { asked.withLock { $0 } }

  /// How often something has been asked for.
  func count(_ target: String) -> Int { questions.count(where: { $0.target == target }) }

  var port: Int { server.port }

  /// Where something of it is.
  func address(_ target: String) -> String { "http://127.0.0.1:\(port)\(target)" }
}

extension TCPConnection {
  /// Writes the head of an answer.
  func writeHead(_ status: String, _ headers: [String] = []) {
    let lines = ["HTTP/1.1 \(status)"] + headers + ["", ""]
    write(Array(lines.joined(separator: "\r\n").utf8))
  }

  /// Writes an answer whose length is said.
  func answer(_ body: [UInt8], _ status: String = "200 OK", _ headers: [String] = []) {
    writeHead(status, ["Content-Length: \(body.count)"] + headers)
    write(body)
  }

  /// Writes the part of a sound that is asked for, or all of it.
  func answer(_ question: WebServer.Question, of sound: [UInt8], _ headers: [String] = []) {
    guard question.range != nil else { return answer(sound, "200 OK", headers) }
    let end = min(sound.count, question.end ?? sound.count)
    let start = min(question.start, end)
    answer(
      Array(sound[start..<end]), "206 Partial Content",
      ["Content-Range: bytes \(start)-\(end - 1)/\(sound.count)"] + headers)
  }

  /// Writes a playlist.
  func answer(_ lines: [String]) {
    answer(
      Array(lines.joined(separator: "\n").utf8), "200 OK",
      ["Content-Type: application/vnd.apple.mpegurl"])
  }

  /// Writes a refusal.
  func refuse(_ status: String) { answer([], status) }

  /// Writes bytes as chunks of a size, without the last, empty one.
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

  /// Says nothing more until the other end has had enough.
  func stall() { while read() != nil {} }
}

/// Bytes that differ from place to place.
func noise(_ count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) }
}
