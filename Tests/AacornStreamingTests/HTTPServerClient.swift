import StreamRigs

@testable import AacornNetwork

/// Sends one request over its own connection.
func httpAnswer(
  _ server: HTTPServer, _ path: String, method: String = "GET", headers: [String] = [],
  body: [UInt8] = []
) throws -> HTTPClient.Answer {
  let client = try HTTPClient(port: server.port)
  client.ask(path, method: method, headers: headers, body: body)
  return try client.receiveAnswer(toHead: method == "HEAD")
}

extension HTTPClient {
  /// Sends a text repeatedly, never long after the last one, until the server disconnects.
  func trickle(_ text: String = "x") {
    // The server sends nothing except the end of the connection.
    while !hasBytes(milliseconds: 40), send(text) {}
  }
}
