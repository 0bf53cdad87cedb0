/// What is to happen to a connection next, as the desk decides.
enum HTTPStep {
  /// Read the rest of the request.
  case goOn
  /// Send this.
  case answer(HTTPAnswer)
  /// Ask again, as soon as the request was read to its end.
  case settle
  /// Nothing for now: the connection is suspended.
  case wait
  /// End it without an answer.
  case close
}

/// An answer that is ready to be sent.
struct HTTPAnswer {
  var status: Int
  /// Without those that frame the body or concern the connection.
  var headers: [HTTPField]
  var body: HTTPBody
  /// Whether the answer belongs to a request for headers alone.
  var isForHead: Bool
  /// Whether no other request may follow on this connection.
  var isLast = false
  /// Whether the client may still be sending a body that nobody reads.
  var leavesBody = false
}
