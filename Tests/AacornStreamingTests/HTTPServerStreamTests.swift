import AacornSystem
import Simulation
import SoundRigs
import StreamRigs
import Testing

@testable import AacornNetwork

/// Streamed responses.
@Suite(.simulated(seeds: 3)) struct HTTPServerStreamTests {
  @Test func aStreamDeliversWhatIsPushedAndEnds() throws {
    let stream = HTTPStream()
    stream.push("before;")
    let server = try HTTPServer { _, responder in
      responder.respond(
        HTTPResponse(headers: [HTTPField("Content-Type", "text/event-stream")], stream: stream))
    }
    let client = try HTTPClient(port: server.port)
    client.ask("/")
    let head = try client.receiveHead()
    #expect(head.headers["content-type"] == "text/event-stream")
    #expect(head.headers["transfer-encoding"] == "chunked")
    #expect(try client.receiveChunk() == Array("before;".utf8))
    for index in 0..<100 {
      #expect(stream.push("event \(index)\n\n") == .taken)
      #expect(try client.receiveChunk() == Array("event \(index)\n\n".utf8))
    }
    #expect(stream.pendingByteCount == 0)
    stream.finish()
    #expect(stream.push("after") == .closed)
    #expect(try client.receiveChunk().isEmpty)
    // The connection can serve another request, but the stream has ended.
    client.ask("/")
    #expect(try client.receiveAll().isEmpty)
  }

  @Test func unusedStreamIsClosed() throws {
    let streams = Lock<[HTTPStream]>([])
    let server = try HTTPServer { request, responder in
      let stream = HTTPStream()
      streams.withLock { $0.append(stream) }
      if request.method == "GET" { responder.respond(.text("first")) }
      responder.respond(HTTPResponse(stream: stream))
    }
    #expect(try httpAnswer(server, "/", method: "HEAD").status == 200)
    #expect(eventually { streams.withLock { $0[0].isClosed } })
    #expect(try httpAnswer(server, "/").text == "first")
    #expect(streams.withLock { $0[1].push("x") } == .closed)
  }

  @Test func twoHundredIdleStreamsCloseWithTheirClients() throws {
    let streams = Lock<[HTTPStream]>([])
    let server = try HTTPServer { request, responder in
      if request.path == "/events" {
        let stream = HTTPStream()
        streams.withLock { $0.append(stream) }
        responder.respond(HTTPResponse(stream: stream))
      } else {
        responder.respond(.text("hello"))
      }
    }
    let first = try HTTPClient(port: server.port)
    first.ask("/events")
    _ = try first.receiveHead()
    let clients = try HTTPClient.asking(200, for: "/events", port: server.port)
    for client in clients { #expect(try client.receiveHead().status == 200) }
    #expect(streams.withLock { $0.count } == 201)
    #expect(try httpAnswer(server, "/").text == "hello")
    for stream in streams.withLock({ $0 }) { #expect(stream.push("tick") == .taken) }
    for client in clients { #expect(try client.receiveChunk() == Array("tick".utf8)) }
    for client in clients { client.close() }
    #expect(eventually { streams.withLock { $0.filter { !$0.isClosed }.count } == 1 })
    streams.withLock { $0[0] }.push("still here")
    #expect(try first.receiveChunk() == Array("tick".utf8))
    #expect(try first.receiveChunk() == Array("still here".utf8))
  }

  @Test func streamsOfDisconnectedClientsFreeTheirSlots() throws {
    var options = HTTPServer.Options()
    options.connectionLimit = 4
    // The server does not disconnect idle clients.
    options.idleTimeout = .seconds(1000)
    let server = try HTTPServer(options: options) { $1.respond(HTTPResponse(stream: HTTPStream())) }
    for _ in 0..<300 {
      let client = try HTTPClient(port: server.port)
      client.ask("/")
      #expect(try client.receiveHead().status == 200)
      client.reset()
    }
  }

  @Test func stoppingEndsStreams() throws {
    let streams = Lock<[HTTPStream]>([])
    let server = try HTTPServer { _, responder in
      let stream = HTTPStream()
      streams.withLock { $0.append(stream) }
      responder.respond(HTTPResponse(stream: stream))
    }
    let clients = try HTTPClient.asking(50, for: "/", port: server.port)
    for client in clients { _ = try client.receiveHead() }
    let pushing = WorkerThread("test") {
      // Some streams are written to during the stop.
      _ = eventually {
        for stream in streams.withLock({ $0 }) { stream.push("tick") }
        return streams.withLock { $0.allSatisfy(\.isClosed) }
      }
    }
    // The stop may come at any moment of the writing; the number of written events does not matter.
    System.sleep(milliseconds: 2)
    server.stop()
    pushing?.join()
    for client in clients { _ = try client.receiveAll() }
    #expect(streams.withLock { $0.count == 50 && $0.allSatisfy { $0.push("tock") == .closed } })
  }

  @Test func aStreamTakesAllOfAMessageOrNothing() {
    let stream = HTTPStream(capacity: 10)
    #expect(stream.push("123456") == .taken)
    #expect(stream.push("12345") == .full)
    #expect(stream.push("1234") == .taken)
    #expect(stream.pendingByteCount == 10)
    #expect(!stream.isClosed)
  }
}
