extension HTTPServer {
  /// What a server allows its clients.
  public struct Options: Sendable {
    /// Clients at a time, as far as the system gives the program descriptors for them.
    ///
    /// Whoever comes finds a place. Where there is none left, the one goes who has been there
    /// longest without having become a guest, of the address that has the most of those. A
    /// quarter of the places is kept for clients that have been let in, and a quarter for those
    /// that are still to be: of the former, those go first that have asked for nothing for longest.
    public var connectionLimit = 512
    /// Clients at a time with the same address, or in the same network of version 6; 0 if it does
    /// not matter, as behind a proxy.
    ///
    /// Unless told, it is 64, and any number of clients that are on this machine.
    public var connectionLimitPerAddress: Int?
    /// Seconds that a client has for all the headers of a request: from its connection on, or from
    /// the request's first byte.
    public var headerSeconds = 10
    /// Seconds that a client has for the body of a request, besides those for its size.
    public var bodySeconds = 10
    /// Bytes of a body for which a client has a further second.
    public var slowestBodyRate = 8 * 1024
    /// Seconds after which a client that neither sends nor takes anything is cut off.
    public var idleSeconds = 30
    /// Seconds that the handler has for an answer.
    public var answerSeconds = 60
    /// Bytes that a request's body may have.
    public var bodyLimit = 64 * 1024
    /// Bytes that it may have if it comes from a stranger.
    public var strangerBodyLimit = 1024
    /// Bytes of all the bodies together that are held at a time: who comes with more is answered
    /// 503, and comes again.
    public var heldBodyLimit = 16 << 20
    /// Items that the query of a request may have.
    public var queryItemLimit = 256
    /// Headers of every answer that does not have its own of that name.
    public var headers: [HTTPField] = []
    /// Asked when the headers of a request have come and before its body is read.
    ///
    /// Called on the server's thread, and must not wait there. Without it every client is a guest.
    public var admission: (@Sendable (HTTPRequest) -> HTTPAdmission)?
    /// Makes the answers that the server gives by itself, of a sentence, a status and the path.
    ///
    /// There are such to a request that makes no sense, to a body that is too large, and where the
    /// handler takes too long. Without this they are text.
    package var refusal: (@Sendable (String, Int, String) -> HTTPResponse)?
    /// Bytes of memory for a connection, in which the headers of a request have to fit.
    public var connectionMemory = 32 * 1024

    /// Options for a few hundred clients.
    public init() {}
  }
}
