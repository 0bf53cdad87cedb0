/// The next step of a connection, as decided by the dispatcher.
enum HTTPStep {
  /// Read the remainder of the request.
  case readRemainder
  /// Send a response.
  case answer(PreparedResponse)
  /// Wait until the exchange resumes the connection.
  case wait
  /// Close the connection without a response.
  case close
}

/// A response that is ready to be sent.
struct PreparedResponse {
  var status: Int
  /// The headers, without those that describe the body's framing or the connection.
  var headers: [HTTPField]
  var body: HTTPBody
  /// Whether the request is for headers only (`HEAD`).
  var isForHead: Bool
  /// Whether the connection must end after the response.
  var isLast = false
}
