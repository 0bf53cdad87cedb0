import AacornSystem

/// A small HTTP server with one thread for all clients, or one queue on Apple's systems.
///
/// Waiting, slow or idle clients cost only some memory each.
///
/// The handler is called on that thread for every complete request, and must not wait there. It may
/// keep the responder and respond later. The server runs until `stop`, or until the last reference
/// to it is released.
public final class HTTPServer: Sendable {
  /// A function that handles a request.
  public typealias Handler = @Sendable (HTTPRequest, HTTPResponder) -> Void

  /// The port of the listener; 0 for a Unix domain socket.
  public var port: Int { listener.port }
  /// The address of the listener; empty for a Unix domain socket.
  public var address: String { listener.address }
  /// The path of the Unix domain socket; nil for an address.
  public var socketPath: String? { listener.file?.path }

  private struct Running {
    let carrier: any ByteCarrier
    let watch: WorkerThread?
  }

  private let listener: HTTPListener
  /// The reserved port of ::1, at which the server does not listen; nil if it is not reserved.
  private let neighbor: Lock<OpenFile?>
  private let running: Lock<Running?>
  private let ended = Outcome<Void>()
  let dispatcher: RequestDispatcher

  /// Starts a server at an address of this machine and a port.
  ///
  /// Port 0 selects any free port.
  ///
  /// `127.0.0.1` and `::1` are for clients on this machine only. `0.0.0.0` and `::` are for all
  /// clients that can reach the machine.
  public convenience init(
    address: String = "127.0.0.1", port: Int = 0, options: Options = Options(),
    handler: @escaping Handler
  ) throws(NetworkError) {
    try self.init(HTTPListener(address: address, port: port), options, handler)
  }

  /// Starts a server at a Unix domain socket, which only programs of the same user can connect to.
  ///
  /// The file of a server that does not run anymore is replaced. If another server listens there,
  /// or the file is not a socket, it is unchanged, and the initializer throws. The file is removed
  /// when the server ends. Requests have `unix` as their remote address.
  public convenience init(
    socket path: String, options: Options = Options(), handler: @escaping Handler
  ) throws(NetworkError) {
    try self.init(HTTPListener(path: path), options, handler)
  }

  private init(
    _ listener: HTTPListener, _ options: Options, _ handler: @escaping Handler
  ) throws(NetworkError) {
    var listener = listener
    let dispatcher = RequestDispatcher(options, handler)
    let carrier = try Self.start(&listener, dispatcher)
    self.listener = listener
    self.dispatcher = dispatcher
    let reservesNeighbor =
      options.reservesIPv6Loopback && ["127.0.0.1", "0.0.0.0"].contains(listener.numericAddress)
    neighbor = Lock(
      reservesNeighbor
        ? (try? System.reservePort(listener.port, of: "::1")).map(OpenFile.init) : nil)
    let watch = WorkerThread("http deadlines") { dispatcher.watch() }
    running = Lock(nil)
    running.withLock { $0 = Running(carrier: carrier, watch: watch) }
    if watch == nil {
      stop()
      throw NetworkError(
        .serverFault, "The system has no threads left for a server. Close other programs.")
    }
  }

  /// Starts to accept clients at a listener, which the carrier then owns.
  private static func start(
    _ listener: inout HTTPListener, _ dispatcher: RequestDispatcher
  ) throws(NetworkError) -> any ByteCarrier {
    #if canImport(Network)
    // The framework supports only ports here: it would first create a socket file that all users
    // can access.
    if listener.file == nil {
      listener.close()
      let carrier = try NetworkCarrier(listener, for: dispatcher)
      listener.port = carrier.port
      return carrier
    }
    #endif
    if let carrier = SocketCarrier(listener, for: dispatcher) { return carrier }
    listener.close()
    listener.file?.remove()
    throw NetworkError(
      .serverFault,
      "The server for \(listener.url) cannot be started: the system has no threads or descriptors"
        + " left for it. Close other programs.")
  }

  deinit { stop() }

  /// Whether `localhost` with the server's port leads to this server, and to no other program.
  ///
  /// Browsers try ::1 first for that name, and 127.0.0.1 if no server listens there. Another user's
  /// program at ::1 would receive the cookies and secrets for this server.
  public var isLocalhost: Bool { address == "::" || neighbor.withLock { $0 != nil } }

  /// The address of the server: `http://address:port`, or `unix:path`.
  public var url: String { listener.url }

  /// Stops the server.
  ///
  /// Clients that are receiving a response have one second to receive it. Clients that wait for a
  /// response receive none. When the method returns, no handler is running. A handler must not call
  /// it. If a client is receiving a file from a disk that does not respond, the server's thread is
  /// abandoned after 10 seconds. It calls no handler later.
  public func stop() {
    let present = running.withLock { running in
      defer { running = nil }
      return running
    }
    guard let present else {
      _ = ended.wait(for: Self.stopTimeout)
      return
    }
    // The server still listens at this point, so no other server treats the file as stale.
    listener.file?.remove()
    dispatcher.close()
    present.carrier.stop { [dispatcher] in dispatcher.closeConnections() }
    present.watch?.join()
    neighbor.withLock { $0 = nil }
    ended.resolve(())
  }

  /// The maximum time for a thread to wait until another one has stopped the server.
  private static let stopTimeout = Duration.seconds(15)
}
