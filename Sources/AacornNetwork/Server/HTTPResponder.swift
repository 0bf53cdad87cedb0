/// Responds to a request, immediately or later, from any thread.
///
/// A request without a response within the server's limit is answered with status 503.
public struct HTTPResponder: Sendable {
  let exchange: HTTPExchange

  /// Sends a response.
  ///
  /// Only the first response counts.
  public func respond(_ response: HTTPResponse) { exchange.respond(response) }

  /// Sends this response if there is no other one within about this time.
  public func respond(after time: Duration, _ response: HTTPResponse) {
    exchange.setDeadline(after: time, response)
  }

  /// Whether a response would be discarded: the request has one already, or the client has
  /// disconnected.
  public var isDone: Bool { exchange.isDone }
}
