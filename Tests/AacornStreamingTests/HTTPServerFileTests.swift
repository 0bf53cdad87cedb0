import AacornSystem
import Foundation
import Simulation
import SoundRigs
import StreamRigs
import Testing

@testable import AacornNetwork

@Suite(.simulated(seeds: 3)) struct HTTPServerFileTests {
  /// A file that is removed with this object.
  private final class TemporaryFile: Sendable {
    let path = NSTemporaryDirectory() + "aacorn-http-\(UUID().uuidString)"

    init(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }

    deinit { unsafe unlink(path) }

    /// Returns a response with the file or a part of it.
    func response(offset: Int = 0, count: Int) throws -> HTTPResponse {
      HTTPResponse(
        headers: [HTTPField("ETag", "\"one\"")],
        file: HTTPFile(
          descriptor: try System.open(path, for: .reading), offset: offset, count: count))
    }

    /// The number of descriptors with which this process has opened the file.
    ///
    /// This property probes each number, because other tests open and close files while a listing
    /// of the descriptors would be read.
    var openCount: Int {
      var text = [CChar](repeating: 0, count: 4096)
      return (0..<4096).count { number in
        let count = unsafe readlink("/proc/self/fd/\(number)", &text, text.count)
        return count == path.utf8.count
          && text.prefix(count).elementsEqual(path.utf8.map { CChar(bitPattern: $0) })
      }
    }
  }

  /// Serves a file, or a part of it, at every path but `/body`, where it serves bytes in memory.
  private static func server(
    _ file: TemporaryFile, offset: Int = 0, count: Int, body: [UInt8] = []
  ) throws -> HTTPServer {
    try HTTPServer { request, responder in
      if request.path == "/body" {
        responder.respond(HTTPResponse(headers: [HTTPField("ETag", "\"one\"")], body: body))
      } else if let response = try? file.response(offset: offset, count: count) {
        responder.respond(response)
      } else {
        responder.respond(.notFound)
      }
    }
  }

  @Test(arguments: ["/file", "/body"]) func aFileIsSentWholeAndInParts(path: String) throws {
    let bytes = HTTPServerTests.bytes(1_000_003)
    let file = try TemporaryFile(bytes)
    let server = try Self.server(file, count: bytes.count, body: bytes)
    for (headers, status, range) in [
      ([], 200, 0..<1_000_003), (["Range: bytes=0-0"], 206, 0..<1),
      (["Range: bytes=999999-1000002"], 206, 999_999..<1_000_003),
      (["Range: bytes=131071-131072"], 206, 131_071..<131_073),
      (["Range: bytes=5-699999"], 206, 5..<700_000),
      (["Range: bytes=-10", "If-Range: \"one\""], 206, 999_993..<1_000_003),
      (["Range: bytes=-10", "If-Range: \"two\""], 200, 0..<1_000_003),
      (["If-None-Match: \"zero\""], 200, 0..<1_000_003),
      (["If-None-Match: \"zero\", W/\"one\""], 304, 0..<0),
      (["If-None-Match: \"one\""], 304, 0..<0),
    ] as [([String], Int, Range<Int>)] {
      let answer = try httpAnswer(server, path, headers: headers)
      #expect(answer.status == status && answer.body == Array(bytes[range]), "\(headers)")
      if status == 206 {
        let bounds = "\(range.lowerBound)-\(range.upperBound - 1)"
        #expect(answer.headers["content-range"] == "bytes \(bounds)/1000003")
      }
    }
    let none = try httpAnswer(server, path, headers: ["Range: bytes=1000003-"])
    #expect(none.status == 416 && none.headers["content-range"] == "bytes */1000003")
    let head = try httpAnswer(server, path, method: "HEAD")
    #expect(head.status == 200 && head.headers["content-length"] == "1000003")
    #expect(head.headers["accept-ranges"] == "bytes")
    #expect(eventually { file.openCount == 0 })
  }

  @Test func partOfFileIsSeparateBody() throws {
    let bytes = HTTPServerTests.bytes(10_000)
    let file = try TemporaryFile(bytes)
    let server = try Self.server(file, offset: 1000, count: 500)
    #expect(try httpAnswer(server, "/").body == Array(bytes[1000..<1500]))
    let part = try httpAnswer(server, "/", headers: ["Range: bytes=100-"])
    #expect(part.status == 206 && part.body == Array(bytes[1100..<1500]))
    #expect(part.headers["content-range"] == "bytes 100-499/500")
  }

  @Test(arguments: ["/file", "/body"]) func anEmptyFileHasLengthZero(path: String) throws {
    let file = try TemporaryFile([])
    let server = try Self.server(file, count: 0)
    let client = try HTTPClient(port: server.port)
    for _ in 0..<2 {
      client.ask(path, headers: ["Range: bytes=0-"])
      let answer = try client.receiveAnswer()
      #expect(answer.status == 416 && answer.body.isEmpty)
      client.ask(path)
      #expect(try client.receiveAnswer().headers["content-length"] == "0")
    }
  }

  @Test func aFileThatShrinksEndsTheConnectionAndNothingElse() throws {
    let file = try TemporaryFile(HTTPServerTests.bytes(8_000_000))
    let server = try Self.server(file, count: 8_000_000)
    let client = try HTTPClient(port: server.port, window: 4096)
    client.ask("/")
    #expect(try client.receiveHead().status == 200)
    #expect(unsafe truncate(file.path, 100_000) == 0)
    let received = try client.receiveAll()
    #expect(received.count < 8_000_000)
    // A file that was shorter than announced from the start has the same effect.
    let second = try HTTPClient(port: server.port)
    second.ask("/")
    _ = try second.receiveHead()
    #expect(try second.receiveAll().count == 100_000)
    #expect(try httpAnswer(server, "/", headers: ["Range: bytes=0-9"]).body.count == 10)
    #expect(eventually { file.openCount == 0 })
  }

  @Test func descriptorsAreClosedOnceHoweverARequestEnds() throws {
    let bytes = HTTPServerTests.bytes(1_000_000)
    let file = try TemporaryFile(bytes)
    let kept = Lock<[HTTPResponse]>([])
    let server = try HTTPServer { request, responder in
      guard let response = try? file.response(count: bytes.count) else {
        return responder.respond(.notFound)
      }
      switch request.path {
      case "/twice":
        responder.respond(response)
        responder.respond(response)
        if let other = try? file.response(count: 10) { responder.respond(other) }
      case "/kept":
        kept.withLock { $0.append(response) }
        responder.respond(response)
      default: responder.respond(response)
      }
    }
    // A descriptor that was closed twice could now belong to a bystander, which would fail below.
    let bystanders = try (0..<20).map { _ in try HTTPClient(port: server.port) }
    for round in 0..<40 {
      let client = try HTTPClient(port: server.port, window: 4096)
      client.ask(["/", "/twice", "/kept"][round % 3])
      _ = try client.receiveHead()
      if round % 2 == 0 { client.reset() } else { client.close() }
    }
    #expect(try httpAnswer(server, "/twice").body == bytes)
    #expect(try httpAnswer(server, "/kept").body == bytes)
    for client in bystanders {
      client.ask("/", headers: ["Range: bytes=0-3"])
      #expect(try client.receiveAnswer().body == Array(bytes.prefix(4)))
    }
    #expect(eventually { file.openCount == kept.withLock { $0.count } })
    // A response can be sent again as long as it is retained.
    #expect(kept.withLock { $0.count } > 1)
    kept.withLock { $0 = [] }
    #expect(eventually { file.openCount == 0 })
  }

  @Test func stoppingLetsGoOfFiles() throws {
    let file = try TemporaryFile(HTTPServerTests.bytes(8_000_000))
    let server = try Self.server(file, count: 8_000_000)
    let clients = try (0..<5).map { _ in try HTTPClient(port: server.port, window: 4096) }
    for client in clients {
      client.ask("/")
      _ = try client.receiveHead()
    }
    withExtendedLifetime(clients) {
      #expect(file.openCount == 5)
      server.stop()
      #expect(file.openCount == 0)
    }
  }
}
