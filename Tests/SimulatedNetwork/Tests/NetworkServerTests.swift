import AacornSystem
import Network
import SoundRigs
import StreamRigs
import Testing

@testable import AacornNetwork

/// Server behavior specific to Apple's Network framework.
@Suite struct NetworkServerTests {
  private static func server() throws -> HTTPServer {
    try HTTPServer { HTTPServerTests.echo($0, $1) }
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
