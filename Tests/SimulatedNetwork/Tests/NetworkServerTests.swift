import AacornSystem
import Network
import SoundRigs
import StreamRigs
import Testing

@testable import AacornWeb

/// Server behavior specific to Apple's Network framework.
@Suite struct NetworkServerTests {
  private static func server(_ address: String = "127.0.0.1", port: Int = 0) throws -> HTTPServer {
    try HTTPServer(address: address, port: port) { HTTPServerTests.echo($0, $1) }
  }

  @Test func serverListensAtRequestedPort() throws {
    let first = try Self.server()
    let port = first.port
    #expect(port > 0)
    first.stop()
    let second = try Self.server(port: port)
    #expect(second.port == port && second.url == "http://127.0.0.1:\(port)")
    #expect(try httpAnswer(second, "/").status == 200)
  }

  @Test(arguments: ["0.0.0.0", "::", "localhost"])
  func serverListensAtIPv4AndIPv6(address: String) throws {
    let server = try Self.server(address)
    #expect(try httpAnswer(server, "/a").text.hasSuffix(" from 127.0.0.1"))
  }

  @Test func lostListenerIsRecreatedAtSamePort() throws {
    let server = try Self.server()
    let port = server.port
    let client = try HTTPClient(port: port)
    client.ask("/")
    #expect(try client.receiveAnswer().status == 200)
    for _ in 0..<2 {
      SimulatedNetwork.shared.takeListener(at: port)
      #expect(eventually { (try? HTTPClient(port: port)) == nil })
      #expect(eventually { (try? httpAnswer(server, "/").status) == 200 })
      #expect(server.port == port)
    }
    // Open connections are not affected.
    client.ask("/again")
    #expect(try client.receiveAnswer().text.hasPrefix("GET /again\n"))
  }

  @Test func aServerThatIsStoppedWithoutItsListenerStaysStopped() throws {
    let server = try Self.server()
    let port = server.port
    SimulatedNetwork.shared.takeListener(at: port)
    server.stop()
    // The server would recreate its listener after one second.
    System.sleep(milliseconds: 1500)
    #expect((try? HTTPClient(port: port)) == nil)
  }
}
