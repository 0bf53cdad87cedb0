import AacornNetwork
import AacornSystem
import Foundation
import Simulation
import SoundRigs
import Testing

@testable import AacornStreaming

/// Requests to a scripted web server, and the reuse of the connection.
@Suite(.simulated(seeds: 5)) struct HTTPUploadTests {
  private let server = MockServer()

  private func upload(
    answerTimeout: Duration = .seconds(10)
  ) throws -> HTTPUpload {
    var configuration = try HLSUploadConfiguration(address: "http://h/live/")
    configuration.answerTimeout = answerTimeout
    return HTTPUpload(
      configuration, over: server.factory(StopSignal()), connectTimeout: .seconds(1))
  }

  private static func put(_ count: Int) -> HTTPUpload.Request {
    .put([UInt8](repeating: 7, count: count), caching: "max-age=2")
  }

  @Test(arguments: [
    ("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n", true),
    ("HTTP/1.1 204 No Content\r\n\r\n", true),
    ("HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n", true),
    ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 C\r\nContent-Length: 2\r\n\r\nok", true),
    ("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 204 N\r\n\r\n", true),
    ("HTTP/1.1 201 C\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", true),
    ("HTTP/1.1 201 C\r\nTransfer-Encoding: Chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", true),
    ("HTTP/1.1 201 C\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-A: b\r\n\r\n", true),
    ("HTTP/1.1 201 C\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n\r\n", false),
    ("HTTP/1.1 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 0\r\n\r\n", true),
    ("HTTP/1.1 200 OK\r\nConnection: keep-alive, Close\r\nContent-Length: 0\r\n\r\n", false),
    ("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", false),
    ("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", false),
    ("HTTP/1.1 200 OK\r\n\r\n", false),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", false),
    ("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n", false),
    // Surplus bytes do not belong to the response to this request.
    ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok!", false),
    ("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", false),
    ("HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", false),
  ])
  func aConnectionIsKeptOnlyIfNothingIsLeftOnIt(answer: String, isKept: Bool) throws {
    // The upload does not wait for an announced body that never arrives.
    server.withScript { $0.closesAfterAnswers = true }
    server.answers = [Array(answer.utf8)]
    var upload = try upload()
    try upload.send(Self.put(3), for: "a.m4s")
    #expect(server.connections.count == 1)
    #expect(server.connections[0].isClosed != isKept)
  }

  /// An announced body that never arrives delays the next file by one second.
  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nContent-Length: 9\r\n\r\nhalf",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
  ])
  func missingResponseBodyIsAwaitedForOneSecond(answer: String) throws {
    server.answers = [Array(answer.utf8)]
    var upload = try upload(answerTimeout: .seconds(3600))
    try expectDuration(1...1.001) { try upload.send(Self.put(3), for: "a.m4s") }
    #expect(upload.status == 200)
    #expect(server.connections[0].isClosed)
  }

  @Test(arguments: [
    "Content-Length: 0\r\nContent-Length: 9", "Content-Length: 9, 0",
    "content-length: 9\r\nX-A: b\r\nContent-Length: 10",
  ])
  func anAnswerThatContradictsItselfConfirmsNothing(headers: String) throws {
    server.answers = [Array("HTTP/1.1 200 OK\r\n\(headers)\r\n\r\n".utf8)]
    var upload = try upload()
    let error = #expect(throws: NetworkError.self) { try upload.send(Self.put(3), for: "a.m4s") }
    #expect(error?.kind == .unsupported && upload.status == nil)
    #expect(server.connections[0].isClosed)
  }

  @Test func longRejectionBodyIsQuoted() throws {
    let page = String(repeating: "x", count: 5000)
    server.answers = [
      Array("HTTP/1.1 403 No\r\nContent-Length: 5000\r\n\r\n".utf8), Array(page.utf8),
    ]
    var upload = try upload()
    let error = #expect(throws: NetworkError.self) { try upload.send(Self.put(3), for: "a.m4s") }
    #expect(error?.message.contains("xxxx") == true)
    #expect(upload.status == 403)
    #expect(server.connections[0].isClosed)
  }

  @Test(arguments: ["", "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 102 P\r\nX: y\r\n\r\n"])
  func sendingStopsAfterRejection(opening: String) throws {
    server.answers = [
      Array("\(opening)HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n".utf8)
    ]
    var upload = try upload()
    let error = #expect(throws: NetworkError.self) {
      try upload.send(Self.put(200_000), for: "a.aac")
    }
    #expect(error?.message.contains("client_max_body_size") == true)
    #expect(server.connections[0].bytes.count < 50_000)
    #expect(server.connections[0].isClosed)
  }

  @Test func continueStatusDoesNotStopSending() throws {
    server.answers = [Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)]
    server.say201(after: 200_000)
    var upload = try upload()
    try upload.send(Self.put(200_000), for: "a.aac")
    #expect(server.connections[0].bytes.count > 200_000)
  }

  /// The system buffers bytes long before a slow connection has sent them.
  @Test func aLargeFileGetsTheTimeThatASlowWayNeeds() throws {
    server.say201(after: 800_000)
    var upload = try upload(answerTimeout: .zero)
    try upload.send(Self.put(800_000), for: "a.m4s")
    #expect(upload.status == 201)
  }
}

extension MockServer {
  /// Confirms the upload after more than `count` bytes have arrived.
  fileprivate func say201(after count: Int) {
    _ = System.startThread("test") {
      // Counts under the lock. A copy of the bytes would be released while the original grows.
      _ = eventually { self.withScript { ($0.connections.first?.bytes.count ?? 0) > count } }
      self.say(Array("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n".utf8))
    }
  }
}
