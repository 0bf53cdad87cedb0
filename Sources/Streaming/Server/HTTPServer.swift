import CMicroHTTPD
import Platform

/// A small HTTP server: one thread for all clients, and no thread, only some memory, for each that
/// waits, reads slowly or does nothing.
///
/// The handler is called on that thread for every request that has come whole, and must not wait
/// there; it may keep the responder and answer later. The server runs until `stop`, or until
/// nobody refers to it any more.
public final class HTTPServer: Sendable {
  /// What a server allows its clients.
  public struct Options: Sendable {
    /// Clients at a time; further ones wait for a place.
    public var connectionLimit = 512
    /// Clients at a time with the same address; 0 if it does not matter, as behind a proxy.
    ///
    /// Unless told, it is 64, and any number where the server is for this machine alone.
    public var connectionLimitPerAddress: Int?
    /// Seconds that a client has for its first request.
    public var firstRequestSeconds = 10
    /// Seconds after which a client that neither sends nor takes anything is cut off.
    public var idleSeconds = 30
    /// Seconds that the handler has for an answer.
    public var answerSeconds = 60
    /// Bytes that a request's body may have.
    public var bodyLimit = 64 * 1024
    /// Headers of every answer that does not have its own of that name.
    public var headers: [HTTPField] = []
    /// Asked when the headers of a request have come and before its body is read; an answer
    /// refuses the request.
    ///
    /// Called on the server's thread, and must not wait there.
    public var admission: (@Sendable (HTTPRequest) -> HTTPResponse?)?
    /// Makes the answers that the server gives by itself, of a sentence, a status and the path.
    ///
    /// There are such to an address that cannot be, to a body that is too large, and where the
    /// handler takes too long. Without this they are text.
    package var refusal: (@Sendable (String, Int, String) -> HTTPResponse)?
    /// Bytes of memory for a connection, in which the headers of a request have to fit.
    public var connectionMemory = 32 * 1024

    /// Options for a few hundred clients.
    public init() {}

    /// The clients at a time with the same address of a server that listens at `address`.
    func connectionLimitPerAddress(at address: String) -> Int {
      if let limit = connectionLimitPerAddress { return limit }
      let isOurs = address == "localhost" || address == "::1" || address.hasPrefix("127.")
      return isOurs ? 0 : 64
    }
  }

  /// Deals with a request.
  public typealias Handler = @Sendable (HTTPRequest, HTTPResponder) -> Void

  /// The port at which it listens.
  public let port: Int
  /// The address at which it listens.
  public let address: String

  @safe
  private struct Running {
    /// Valid until it has been stopped.
    var daemon: OpaquePointer
    var watch: WorkerThread?
  }

  private let running: Lock<Running?>
  private let desk: HTTPDesk

  /// Starts a server at an address of this machine and a port; port 0 is any free one.
  ///
  /// `127.0.0.1` and `::1` are for this machine alone; `0.0.0.0` and `::` are for all that can
  /// reach it.
  public init(
    address: String = "127.0.0.1", port: Int = 0, options: Options = Options(),
    handler: @escaping Handler
  ) throws(StreamingError) {
    guard aacorn_mhd_loading() == AACORN_MHD_LOADED else { throw Self.libraryError() }
    let numbers = address == "localhost" ? "127.0.0.1" : address
    guard (0...65535).contains(port) else {
      throw StreamingError(.unsupported, "There is no port \(port): ports go from 1 to 65535.")
    }
    let listener = unsafe aacorn_mhd_listen(numbers, Int32(port))
    guard listener >= 0 else {
      throw Self.listeningError(-listener, address: address, port: port)
    }
    self.address = address
    self.port = Int(aacorn_mhd_port(listener))
    desk = HTTPDesk(options: options, handler: handler)
    running = Lock(nil)

    var settings = unsafe aacorn_mhd_settings()
    unsafe settings.listener = listener
    unsafe settings.connection_limit = UInt32(clamping: max(1, options.connectionLimit))
    unsafe settings.connection_limit_per_address = UInt32(
      clamping: options.connectionLimitPerAddress(at: address))
    unsafe settings.idle_seconds = UInt32(
      clamping: min(options.firstRequestSeconds, options.idleSeconds))
    unsafe settings.connection_memory = max(4096, options.connectionMemory)
    unsafe settings.access = HTTPDesk.access
    unsafe settings.completed = HTTPDesk.completed
    // The desk lives as long as the server, which stops the thread that calls back before.
    unsafe settings.context = Unmanaged.passUnretained(desk).toOpaque()
    guard let daemon = unsafe aacorn_mhd_start(&settings) else {
      throw StreamingError(
        .serverFault,
        "The server for \(Endpoint(host: address, port: port).description) cannot be started:"
          + " the system has no thread or descriptor left for it. Close other programs.")
    }
    let watch = WorkerThread { [desk] in desk.watch() }
    running.withLock { running in
      running = unsafe Running(daemon: daemon, watch: watch)
    }
    if watch == nil {
      stop()
      throw StreamingError(
        .serverFault, "The system has no thread left for a server. Close other programs.")
    }
  }

  deinit { stop() }

  /// Where to find it: `http://address:port`.
  public var url: String { "http://\(Endpoint(host: address, port: port).description)" }

  /// Ends the server: who has been answered gets a second to take it, and who still waits for an
  /// answer gets none.
  ///
  /// No handler runs any more when it returns. Not to be called by a handler.
  public func stop() {
    running.withLock { running in
      guard let present = running else { return }
      desk.close()
      unsafe aacorn_mhd_stop(present.daemon)
      present.watch?.join()
      running = nil
    }
  }

  // MARK: Errors

  private static func libraryError() -> StreamingError {
    libraryError(
      isMissing: aacorn_mhd_loading() == AACORN_MHD_NO_LIBRARY,
      reason: unsafe String(cString: aacorn_mhd_loading_reason()))
  }

  static func libraryError(isMissing: Bool, reason: String) -> StreamingError {
    StreamingError(
      .libraryMissing,
      isMissing && reason.hasSuffix("No such file or directory")
        ? "Serving over HTTP needs the library libmicrohttpd.so.12, which is not installed."
          + " On Debian and Ubuntu: apt-get install libmicrohttpd12."
        : "The library libmicrohttpd.so.12 cannot be used: \(reason)."
          + " On Debian and Ubuntu it is in the package libmicrohttpd12.")
  }

  static func listeningError(_ code: Int32, address: String, port: Int) -> StreamingError {
    let place = HTTPRequest.printable(Endpoint(host: address, port: port).description)
    return switch SystemError(number: code) {
    case .addressInUse:
      StreamingError(
        .taken,
        "Port \(port) of \(HTTPRequest.printable(address)) is in use by another program."
          + " Take another port, or 0 for any that is free.")
    case .addressNotAvailable, .addressFamilyNotSupported:
      StreamingError(
        .unreachable,
        "This machine does not have the address \(HTTPRequest.printable(address))."
          + " Take one of its own, or 127.0.0.1.")
    case .accessDenied, .notPermitted:
      StreamingError(
        .forbidden,
        "Listening at \(place) is not permitted."
          + (port < 1024 ? " Ports below 1024 are the administrator's: take a higher one." : ""))
    case .invalidArgument:
      StreamingError(
        .unsupported,
        "“\(HTTPRequest.printable(address))” is not an address in numbers such as 127.0.0.1,"
          + " 0.0.0.0 or ::1.")
    case let error:
      StreamingError(.serverFault, "Listening at \(place) fails: \(error.text).")
    }
  }
}
