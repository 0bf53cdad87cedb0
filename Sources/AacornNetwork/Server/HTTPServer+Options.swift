extension HTTPServer {
  /// The limits and policies of a server.
  public struct Options: Sendable {
    /// The maximum number of simultaneous clients, if the system has enough descriptors for them.
    ///
    /// New clients are always accepted. At the limit, the oldest client that is not a guest (see
    /// `HTTPAdmission.asGuest`) is disconnected, from the address with the most such clients. A
    /// quarter of the connections is reserved for guests, and a quarter for new clients. Of the
    /// guests, the one that is idle for the longest time is disconnected first. A sixteenth of the
    /// connections of guests and of other clients, at most eight each, is reserved for clients on
    /// this machine.
    public var connectionLimit = 512
    /// The maximum number of simultaneous clients with the same address or in the same IPv6
    /// network.
    ///
    /// Use 0 for no limit, for example behind a proxy. The default, nil, is 64 for other machines and
    /// no limit for this one.
    public var connectionLimitPerAddress: Int?
    /// The maximum time for all headers of a request, from the connection or from the first byte of
    /// the request.
    public var headerTimeout: Duration = .seconds(10)
    /// The maximum time for the body of a request, in addition to the time that its size allows
    /// (see `slowestBodyRate`).
    public var bodyTimeout: Duration = .seconds(10)
    /// The number of bytes of a body that add one second to `bodyTimeout`.
    public var slowestBodyRate = 8 * 1024
    /// The time without traffic after which a client is disconnected.
    public var idleTimeout: Duration = .seconds(30)
    /// The maximum time for the handler's response.
    public var answerTimeout: Duration = .seconds(60)
    /// The maximum body of a request in bytes.
    public var bodyLimit = 64 * 1024
    /// The maximum body of a request from a client that is not a guest, in bytes.
    public var unauthenticatedBodyLimit = 1024
    /// The maximum number of bytes of all bodies in memory.
    ///
    /// A request that would exceed it receives status 503, and the client must retry. A quarter is
    /// reserved for bodies of at most 4 KiB.
    public var heldBodyLimit = 16 << 20
    /// The maximum number of items in the query of a request.
    public var queryItemLimit = 256
    /// The headers to add to every response that has none with that name.
    public var headers: [HTTPField] = []
    /// A function that is called when the headers of a request have been received, before its body
    /// is read.
    ///
    /// It is called on the server's thread and must not wait there. Without it, every client is a
    /// guest.
    public var admission: (@Sendable (HTTPRequest) -> HTTPAdmission)?
    /// A function that makes the server's error responses from a message, a status and the path.
    ///
    /// These responses are for an invalid request, a body that is too large, and a handler that is
    /// too slow. Without the function, they are plain text.
    package var makeErrorResponse: (@Sendable (String, Int, String) -> HTTPResponse)?
    /// Whether a server at 127.0.0.1 or 0.0.0.0 reserves its port of ::1, so that no other program
    /// receives the connections to `localhost`; see ``HTTPServer/isLocalhost``.
    ///
    /// The server does not listen at that port, and another server cannot.
    public var reservesIPv6Loopback = false
    /// The memory per connection in bytes.
    ///
    /// It must hold the headers of a request.
    public var connectionMemory = 32 * 1024

    /// Creates options for a few hundred clients.
    public init() {}
  }
}

/// The decision on a request whose headers have been received.
public enum HTTPAdmission: Sendable {
  /// Pass the request to the handler, and treat its client as a guest.
  ///
  /// Some connections are reserved for guests.
  case asGuest
  /// Pass the request to the handler, because it is allowed for anyone.
  ///
  /// New clients may still displace its client. The body must be short
  /// (`HTTPServer.Options.unauthenticatedBodyLimit`).
  case asUnauthenticated
  /// Reject the request with this response, without reading the body.
  case rejected(HTTPResponse)

  /// The response of a rejection; nil for an admitted request.
  public var rejection: HTTPResponse? {
    if case .rejected(let response) = self { response } else { nil }
  }
}

// The server's error responses.
extension HTTPServer.Options {
  private func errorResponse(_ message: String, status: Int, path: String) -> HTTPResponse {
    makeErrorResponse?(message, status, path) ?? .text(message + "\n", status: status)
  }

  /// Returns the response to a path that leads out of a folder, or that is invalid.
  func impossible(_ path: String) -> HTTPResponse {
    errorResponse("This address is not valid.", status: 400, path: path)
  }

  /// Returns the response to bytes that are not a request.
  func malformed(_ fault: HTTPFault, _ path: String) -> HTTPResponse {
    errorResponse("This request is not valid. \(fault.message)", status: fault.status, path: path)
  }

  /// Returns the response to a body beyond the limit.
  func tooLarge(_ path: String) -> HTTPResponse {
    errorResponse("The body is too large.", status: 413, path: path)
  }

  /// Returns the response to a body for which there is no memory at present.
  func tooMuch(_ path: String) -> HTTPResponse {
    later("The server is receiving too much data right now. Try again.", path)
  }

  /// Returns the response for a handler that is too slow.
  func tooLate(_ path: String) -> HTTPResponse {
    later("The response takes too long. Try again.", path)
  }

  private func later(_ message: String, _ path: String) -> HTTPResponse {
    var response = errorResponse(message, status: 503, path: path)
    response.headers.append(HTTPField("Retry-After", "1"))
    return response
  }
}
