extension HTTPServer {
  /// The limits for a server's clients.
  public struct Options: Sendable {
    /// Clients at a time, as far as the system gives the program descriptors for them.
    ///
    /// Newcomers always find a place. If none is left, the oldest client that has not become a
    /// guest must leave, from the address that has the most of those. A quarter of the places is
    /// kept for admitted clients, and a quarter for newcomers: of the admitted ones, the longest
    /// idle must leave first. Of either kind, a sixteenth of the places, at most eight, is kept for
    /// clients on this machine.
    public var connectionLimit = 512
    /// Clients at a time with the same address or in the same IPv6 network; 0 for no limit, as
    /// behind a proxy.
    ///
    /// By default it is 64, without a limit for clients on this machine.
    public var connectionLimitPerAddress: Int?
    /// How long a client has for all headers of a request, from its connection or from the
    /// request's first byte.
    public var headerTimeout: Duration = .seconds(10)
    /// How long a client has for the body of a request, plus the time for its size.
    public var bodyTimeout: Duration = .seconds(10)
    /// Bytes of a body for which a client gets one more second.
    public var slowestBodyRate = 8 * 1024
    /// How long a client may neither send nor receive before it is cut off.
    public var idleTimeout: Duration = .seconds(30)
    /// How long the handler has for an answer.
    public var answerTimeout: Duration = .seconds(60)
    /// The largest body of a request in bytes.
    public var bodyLimit = 64 * 1024
    /// The largest body from a stranger in bytes.
    public var strangerBodyLimit = 1024
    /// The most bytes of all bodies held at a time: clients with more are answered 503, and must
    /// retry.
    public var heldBodyLimit = 16 << 20
    /// The most items in the query of a request.
    public var queryItemLimit = 256
    /// Headers added to every answer that does not have its own with that name.
    public var headers: [HTTPField] = []
    /// Called when the headers of a request have arrived, before its body is read.
    ///
    /// It is called on the server's thread and must not wait there. Without it every client is a
    /// guest.
    public var admission: (@Sendable (HTTPRequest) -> HTTPAdmission)?
    /// Makes the server's own answers from a sentence, a status and the path.
    ///
    /// They answer an invalid request, a body that is too large, and a handler that takes too long.
    /// Without this they are text.
    package var refusal: (@Sendable (String, Int, String) -> HTTPResponse)?
    /// Whether a server at 127.0.0.1 or 0.0.0.0 keeps its port of ::1, so that nobody else is `localhost`;
    /// see ``HTTPServer/isLocalhost``.
    ///
    /// It does not listen there, and another server cannot.
    public var keepsLocalhost = false
    /// Bytes of memory for a connection, which must hold the headers of a request.
    public var connectionMemory = 32 * 1024

    /// Creates options for a few hundred clients.
    public init() {}
  }
}
