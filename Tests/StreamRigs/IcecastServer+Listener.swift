import AacornSystem
import Foundation
import SoundRigs

extension IcecastServer {
  /// A listener that stores everything it receives.
  package final class Listener: Sendable {
    private let connection: TCPConnection
    private let received = Lock<[UInt8]>([])

    fileprivate init(_ connection: TCPConnection, request: String) {
      self.connection = connection
      connection.write(Array(request.utf8))
      let isStarted = System.startThread("test") { [connection, received] in
        System.blockPipeSignal()
        while let bytes = connection.read() { received.withLock { $0 += bytes } }
        connection.close()
      }
      if !isStarted { connection.close() }
    }

    deinit { connection.end() }

    /// The status line and the headers, or an empty string until they are complete.
    package var head: String { parts.head }

    package var body: [UInt8] { parts.body }

    /// Returns the value of a header of the response.
    ///
    /// `name` is lowercase.
    package func header(_ name: String) -> String? {
      HTTPHead(head).headers[name]
    }

    private var parts: (head: String, body: [UInt8]) {
      let bytes = received.withLock { $0 }
      guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return ("", []) }
      return (
        String(decoding: bytes[..<end.lowerBound], as: UTF8.self), Array(bytes[end.upperBound...])
      )
    }
  }

  package func listen(to mount: String) throws -> Listener {
    guard let connection = TCPConnection(toPort: port) else {
      throw RigFailure("Nobody listens at port \(port).")
    }
    return Listener(connection, request: "GET \(mount) HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n")
  }

  /// Requests the properties of each mount, by path.
  package func status() throws -> [String: [String: String]] {
    let page = TCPConnection.page("/status-json.xsl", atPort: port) ?? ""
    let parts = page.components(separatedBy: "\r\n\r\n")
    guard parts.count > 1, parts[0].contains(" 200 "),
      let object = try JSONSerialization.jsonObject(with: Data(parts[1].utf8)) as? [String: Any],
      let all = object["icestats"] as? [String: Any]
    else { throw RigFailure("The server gives no status:\n\(page)\n\(log)") }
    var mounts: [String: [String: String]] = [:]
    // The JSON contains one source as an object, several as a list.
    let one = (all["source"] as? [String: Any]).map { [$0] }
    for source in one ?? (all["source"] as? [[String: Any]]) ?? [] {
      guard let address = source["listenurl"] as? String else { continue }
      let location = address.drop { $0 != ":" }.dropFirst(3)
      let path = String(location.drop { $0 != "/" })
      mounts[path.removingPercentEncoding ?? path] = source.mapValues { "\($0)" }
    }
    return mounts
  }
}
