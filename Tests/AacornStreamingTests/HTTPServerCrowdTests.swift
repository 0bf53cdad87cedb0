import AacornSystem
import SoundRigs
import StreamRigs
import Testing

@testable import AacornWeb

/// An attack over the system's network; `HTTPServerScenarioTests` simulates many others.
@Suite struct HTTPServerCrowdTests {
  @Test func guestIsServedDespiteHostileCrowd() throws {
    var options = HTTPServer.Options()
    options.connectionLimit = 64
    options.admission = { request in
      request.header("X-Pass") == "yes" ? .asGuest : .rejected(.text("no entry", status: 403))
    }
    let server = try HTTPServer(options: options) { HTTPServerTests.echo($0, $1) }
    let kept = try HTTPClient(port: server.port)
    // More clients than the server has slots, none of which completes its request.
    let crowd = try (0..<200).map { index in
      if index % 10 == 0 {
        kept.ask("/kept", headers: ["X-Pass: yes"])
        #expect(try kept.receiveAnswer().status == 200)
        #expect(try httpAnswer(server, "/new", headers: ["X-Pass: yes"]).status == 200)
      }
      let client = try HTTPClient(port: server.port, from: "127.0.0.\(2 + index % 3)")
      client.send("PUT / HTTP/1.1\r\nHost: test\r\nX-Slow: ")
      return client
    }
    #expect(eventually { crowd.count { !$0.hasBytes(milliseconds: 0) } <= 64 })
  }
}
