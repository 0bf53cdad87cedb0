import AacornSystem

#if !canImport(Network)
import CAacornMicroHTTPD
#endif

/// A small HTTP server with one thread for all clients, or one queue on Apple's systems; waiting,
/// slow or idle clients cost only some memory each.
///
/// The handler is called on that thread for every complete request, and must not wait there; it may
/// keep the responder and answer later. The server runs until `stop`, or until nobody refers to it.
public final class HTTPServer: Sendable {
  /// Handles a request.
  public typealias Handler = @Sendable (HTTPRequest, HTTPResponder) -> Void

  /// The port it listens on; 0 for a socket file.
  public var port: Int { listener.port }
  /// The address it listens on; empty for a socket file.
  public var address: String { listener.address }
  /// The socket file it listens on; nil for an address.
  public var socketPath: String? { listener.file?.path }

  private struct Running {
    let backEnd: any HTTPBackEnd
    let watch: WorkerThread?
  }

  private let listener: HTTPListener
  /// Its port of ::1; nil if it has none or was not to keep it.
  private let neighbor: KeptPort?
  private let running: Lock<Running?>
  private let desk: HTTPDesk

  /// Starts a server at an address of this machine and a port; port 0 is any free one.
  ///
  /// `127.0.0.1` and `::1` are for this machine only; `0.0.0.0` and `::` are for everyone who can
  /// reach it.
  public convenience init(
    address: String = "127.0.0.1", port: Int = 0, options: Options = Options(),
    handler: @escaping Handler
  ) throws(NetworkError) {
    try Self.checkLibrary()
    try self.init(HTTPListener(address: address, port: port), options, handler)
  }

  /// Starts a server at a socket file, which only programs of the same user can connect to.
  ///
  /// A stale server's file is replaced; if another server listens on it, or it is not a socket, it
  /// is left alone, and this throws. The file is removed when the server ends. Requests have `unix`
  /// as their remote address.
  public convenience init(
    socket path: String, options: Options = Options(), handler: @escaping Handler
  ) throws(NetworkError) {
    try Self.checkLibrary()
    try self.init(HTTPListener(path: path), options, handler)
  }

  private init(
    _ listener: HTTPListener, _ options: Options, _ handler: @escaping Handler
  ) throws(NetworkError) {
    var listener = listener
    let (desk, backEnd) = try Self.start(&listener, options, handler)
    self.listener = listener
    self.desk = desk
    neighbor =
      options.keepsLocalhost && ["127.0.0.1", "0.0.0.0"].contains(listener.numericAddress)
      ? KeptPort(listener.port, of: "::1") : nil
    let watch = WorkerThread { desk.watch { backEnd.drain(at: $0) } }
    running = Lock(nil)
    running.withLock { $0 = Running(backEnd: backEnd, watch: watch) }
    if watch == nil {
      stop()
      throw NetworkError(
        .serverFault, "The system has no threads left for a server. Close other programs.")
    }
  }

  /// Starts what speaks HTTP at a listener, which belongs to it from now on.
  private static func start(
    _ listener: inout HTTPListener, _ options: Options, _ handler: @escaping Handler
  ) throws(NetworkError) -> (HTTPDesk, any HTTPBackEnd) {
    var kind = Engine.standard
    #if canImport(Network)
    if kind == .network {
      if listener.file == nil {
        let engine = HTTPEngine(options, handler)
        listener.close()
        engine.open(try NetworkCarrier(listener, for: engine))
        listener.port = engine.port
        return (engine.desk, engine)
      }
      // The framework would make the file for everybody first.
      kind = .sockets
    }
    #else
    if kind == .library {
      let desk = LibraryBackEnd.desk(options, handler)
      if let backEnd = LibraryBackEnd(listener, for: desk) { return (desk, backEnd) }
    }
    #endif
    if kind == .sockets {
      let engine = HTTPEngine(options, handler)
      if let carrier = SocketCarrier(listener, for: engine) {
        engine.open(carrier)
        return (engine.desk, engine)
      }
    }
    listener.file?.remove()
    throw NetworkError(
      .serverFault,
      "The server for \(listener.url) cannot be started: the system has no threads or descriptors"
        + " left for it. Close other programs.")
  }

  deinit { stop() }

  /// Whether `localhost` with its port leads here, and to no other program.
  ///
  /// Browsers try ::1 first for that name, and 127.0.0.1 when nothing listens there. Another user's
  /// program at ::1 would be sent the cookies and secrets that are meant for this server.
  public var isLocalhost: Bool { address == "::" || neighbor?.isKept == true }

  /// Its address: `http://address:port`, or `unix:path`.
  public var url: String { listener.url }

  /// Ends the server: clients with an answer get a second to receive it; clients still waiting for
  /// one get none.
  ///
  /// When this returns, no handler is running. Must not be called by a handler.
  public func stop() {
    running.withLock { running in
      guard let present = running else { return }
      // While it still listens, nobody mistakes the file for a stale one.
      listener.file?.remove()
      desk.close()
      present.backEnd.stop()
      present.watch?.join()
      neighbor?.release()
      running = nil
    }
  }

  // MARK: Errors

  private static func checkLibrary() throws(NetworkError) {
    #if !canImport(Network)
    if Engine.standard != .library || aacorn_mhd_loading() == AACORN_MHD_LOADED { return }
    throw libraryError(
      isMissing: aacorn_mhd_loading() == AACORN_MHD_NO_LIBRARY,
      reason: unsafe String(cString: aacorn_mhd_loading_reason()))
    #endif
  }

  static func libraryError(isMissing: Bool, reason: String) -> NetworkError {
    NetworkError(
      .libraryMissing,
      isMissing && System.isMissing("libmicrohttpd.so.12", accordingTo: reason)
        ? "Serving over HTTP needs the library libmicrohttpd.so.12, which is not installed."
          + " On Debian it is in the package libmicrohttpd12."
        : "The library libmicrohttpd.so.12 cannot be used: \(reason)."
          + " On Debian it is in the package libmicrohttpd12.")
  }
}
