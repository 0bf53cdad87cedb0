import AacornSystem
import CAacornMicroHTTPD

/// A small HTTP server with one thread for all clients; waiting, slow or idle clients cost only
/// some memory each.
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
    self.listener = listener
    desk = HTTPDesk(options: options, handler: handler)
    running = Lock(nil)

    var settings = unsafe aacorn_mhd_settings()
    unsafe settings.listener = listener.descriptor
    // A newcomer displaces another client, and both are connected for a moment.
    unsafe settings.connection_limit = UInt32(clamping: desk.placeCount + 64)
    let idleSeconds = (options.idleTimeout.millisecondsToWait + 999) / 1000
    unsafe settings.idle_seconds = UInt32(clamping: max(1, idleSeconds))
    unsafe settings.connection_memory = max(4096, options.connectionMemory)
    unsafe settings.connected = HTTPDesk.connected
    unsafe settings.begun = HTTPDesk.begun
    unsafe settings.access = HTTPDesk.access
    unsafe settings.completed = HTTPDesk.completed
    // The desk lives as long as the server, which first stops the thread that calls back.
    unsafe settings.context = Unmanaged.passUnretained(desk).toOpaque()
    guard let daemon = unsafe aacorn_mhd_start(&settings) else {
      listener.file?.remove()
      throw NetworkError(
        .serverFault,
        "The server for \(listener.url) cannot be started: the system has no threads or descriptors"
          + " left for it. Close other programs.")
    }
    let watch = WorkerThread { [desk] in desk.watch() }
    running.withLock { running in
      running = unsafe Running(daemon: daemon, watch: watch)
    }
    if watch == nil {
      stop()
      throw NetworkError(
        .serverFault, "The system has no threads left for a server. Close other programs.")
    }
  }

  deinit { stop() }

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
      unsafe aacorn_mhd_stop(present.daemon)
      present.watch?.join()
      running = nil
    }
  }

  // MARK: Errors

  private static func checkLibrary() throws(NetworkError) {
    if aacorn_mhd_loading() == AACORN_MHD_LOADED { return }
    #if canImport(Darwin)
    throw NetworkError(
      .libraryMissing, "On Apple's systems Aacorn cannot serve over HTTP yet: use it on Linux.")
    #else
    throw libraryError(
      isMissing: aacorn_mhd_loading() == AACORN_MHD_NO_LIBRARY,
      reason: unsafe String(cString: aacorn_mhd_loading_reason()))
    #endif
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
