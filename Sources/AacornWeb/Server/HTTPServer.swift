import AacornSystem
import CAacornMicroHTTPD

/// A small HTTP server: one thread for all clients, and no thread, only some memory, for each that
/// waits, reads slowly or does nothing.
///
/// The handler is called on that thread for every request that has come whole, and must not wait
/// there; it may keep the responder and answer later. The server runs until `stop`, or until
/// nobody refers to it any more.
public final class HTTPServer: Sendable {
  /// Deals with a request.
  public typealias Handler = @Sendable (HTTPRequest, HTTPResponder) -> Void

  /// The port at which it listens; 0 if it listens at a socket file.
  public var port: Int { listener.port }
  /// The address at which it listens; empty if it listens at a socket file.
  public var address: String { listener.address }
  /// The socket file at which it listens; nil if it listens at an address.
  public var socketPath: String? { listener.file?.path }

  @safe
  private struct Running {
    /// Valid until it has been stopped.
    var daemon: OpaquePointer
    var watch: WorkerThread?
  }

  private let listener: HTTPListener
  private let running: Lock<Running?>
  private let desk: HTTPDesk

  /// Starts a server at an address of this machine and a port; port 0 is any free one.
  ///
  /// `127.0.0.1` and `::1` are for this machine alone; `0.0.0.0` and `::` are for all that can
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
  /// The file that a server has left behind that is gone is replaced; one that another server
  /// listens at, or that is no socket, is left alone, and this throws. The file goes when the
  /// server ends. Requests have `unix` for the address of who asks.
  public convenience init(
    socket path: String, options: Options = Options(), handler: @escaping Handler
  ) throws(NetworkError) {
    try Self.checkLibrary()
    try self.init(HTTPListener(path: path), options, handler)
  }

  private init(
    _ listener: HTTPListener, _ options: Options, _ handler: @escaping Handler
  ) throws(NetworkError) {
    self.listener = listener
    desk = HTTPDesk(options: options, handler: handler)
    running = Lock(nil)

    var settings = unsafe aacorn_mhd_settings()
    unsafe settings.listener = listener.descriptor
    // Who comes displaces another, and so is there for a moment together with it.
    unsafe settings.connection_limit = UInt32(clamping: desk.placeCount + 64)
    unsafe settings.idle_seconds = UInt32(clamping: max(1, options.idleSeconds))
    unsafe settings.connection_memory = max(4096, options.connectionMemory)
    unsafe settings.connected = HTTPDesk.connected
    unsafe settings.begun = HTTPDesk.begun
    unsafe settings.access = HTTPDesk.access
    unsafe settings.completed = HTTPDesk.completed
    // The desk lives as long as the server, which stops the thread that calls back before.
    unsafe settings.context = Unmanaged.passUnretained(desk).toOpaque()
    guard let daemon = unsafe aacorn_mhd_start(&settings) else {
      listener.file?.remove()
      throw NetworkError(
        .serverFault,
        "The server for \(listener.url) cannot be started: the system has no thread or descriptor"
          + " left for it. Close other programs.")
    }
    let watch = WorkerThread { [desk] in desk.watch() }
    running.withLock { running in
      running = unsafe Running(daemon: daemon, watch: watch)
    }
    if watch == nil {
      stop()
      throw NetworkError(
        .serverFault, "The system has no thread left for a server. Close other programs.")
    }
  }

  deinit { stop() }

  /// Where to find it: `http://address:port`, or `unix:path`.
  public var url: String { listener.url }

  /// Ends the server: who has been answered gets a second to take it, and who still waits for an
  /// answer gets none.
  ///
  /// No handler runs any more when it returns. Not to be called by a handler.
  public func stop() {
    running.withLock { running in
      guard let present = running else { return }
      // While it listens, nobody takes the file for one that was left behind.
      listener.file?.remove()
      desk.close()
      unsafe aacorn_mhd_stop(present.daemon)
      present.watch?.join()
      running = nil
    }
  }

  // MARK: Errors

  private static func checkLibrary() throws(NetworkError) {
    if aacorn_mhd_loading() == AACORN_MHD_LOADED { return }
    throw libraryError(
      isMissing: aacorn_mhd_loading() == AACORN_MHD_NO_LIBRARY,
      reason: unsafe String(cString: aacorn_mhd_loading_reason()))
  }

  static func libraryError(isMissing: Bool, reason: String) -> NetworkError {
    NetworkError(
      .libraryMissing,
      isMissing && reason.hasSuffix("No such file or directory")
        ? "Serving over HTTP needs the library libmicrohttpd.so.12, which is not installed."
          + " On Debian and Ubuntu: apt-get install libmicrohttpd12."
        : "The library libmicrohttpd.so.12 cannot be used: \(reason)."
          + " On Debian and Ubuntu it is in the package libmicrohttpd12.")
  }
}
