/// Answers a request, at once or later, from any thread.
///
/// A request that nobody answers within the server's limit is answered with 503.
public struct HTTPResponder: Sendable {
  let exchange: HTTPExchange

  /// Answers; only the first answer counts.
  public func respond(_ response: HTTPResponse) { exchange.respond(response) }

  /// Sends this answer if there is no other within about this time.
  public func respond(after time: Duration, _ response: HTTPResponse) {
    exchange.setDeadline(after: time, response)
  }

  /// Whether an answer would reach nobody: one was given already, or the client is gone.
  public var isDone: Bool { exchange.isDone }
}
