import AacornSystem
import Foundation
import SoundRigs
import Testing

@testable import AacornWeb

/// The service for the owner during an attack by many clients.
@Suite(.serialized) struct HTTPServerCrowdTests {
  /// The number of hostile clients, each of which needs a descriptor at either end.
  ///
  /// Raises the process's limit first. The default is 2,000, as in `Benchmarks/stream crowd`,
  /// unless the system allows fewer descriptors or `AACORN_CROWD` sets another number.
  private static var crowdSize: Int {
    var limits = rlimit()
    #if canImport(Glibc)
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    let resource = RLIMIT_NOFILE
    #endif
    unsafe getrlimit(resource, &limits)
    limits.rlim_cur = min(limits.rlim_max, 16_384)
    unsafe setrlimit(resource, &limits)
    let requestedCount = System.environment("AACORN_CROWD").flatMap { Int($0) } ?? 2000
    return min(requestedCount, (System.descriptorLimit - 800) / 2)
  }

  private static func server(_ streams: Lock<[HTTPStream]>) throws -> HTTPServer {
    var options = HTTPServer.Options()
    options.admission = { request in
      if request.header("X-Pass") == "yes" { return .asGuest }
      return request.path == "/public"
        ? .asUnauthenticated : .rejected(.text("no entry", status: 403))
    }
    return try HTTPServer(options: options) { request, responder in
      if request.path == "/events" {
        let stream = HTTPStream()
        streams.withLock { $0.append(stream) }
        responder.respond(HTTPResponse(stream: stream))
      } else {
        HTTPServerTests.echo(request, responder)
      }
    }
  }

  @Test func localClientIsServedDespiteHostileCrowd() throws {
    let streams = Lock<[HTTPStream]>([])
    let server = try Self.server(streams)
    let size = Self.crowdSize
    try #require(size > 500, "The system allows too few descriptors.")
    let crowd = HTTPHostileCrowd(size, port: server.port)
    defer { crowd.stop() }
    // The crowd is larger than the number of slots, so its clients displace each other constantly.
    #expect(eventually { crowd.presentCount == size && crowd.cutCount > size })

    let listener = try HTTPServerClient(port: server.port)
    listener.ask("/events", headers: ["X-Pass: yes"])
    #expect(try listener.receiveHead().status == 200)
    let kept = try HTTPServerClient(port: server.port)
    for round in 0..<100 {
      let before = crowd.cutCount
      // A new connection, a kept connection, and a stream that began before the loop.
      #expect(try httpAnswer(server, "/\(round)", headers: ["X-Pass: yes"]).status == 200)
      kept.ask("/kept", headers: ["X-Pass: yes"])
      #expect(try kept.receiveAnswer().status == 200)
      streams.withLock { _ = $0[0].push("event \(round)") }
      #expect(try listener.receiveChunk() == Array("event \(round)".utf8))
      let body = [UInt8](repeating: 1, count: 60_000)
      let answer = try httpAnswer(
        server, "/", method: "PUT", headers: ["X-Pass: yes"], body: body)
      #expect(answer.text == "PUT /\n60000 bytes from 127.0.0.1")
      #expect(eventually { crowd.cutCount > before })
      #expect(crowd.presentCount == size)
    }
  }
}
