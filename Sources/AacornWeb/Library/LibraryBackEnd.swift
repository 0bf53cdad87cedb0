#if !canImport(Network)
import AacornSystem
import CAacornMicroHTTPD

/// The HTTP implementation by GNU libmicrohttpd, which has one thread for all connections.
///
/// The library disconnects only silent clients, accepts no clients at its limit, and is lenient.
/// The dispatcher compensates for that. A request is accepted only if the reported head accounts
/// for every received byte.
final class LibraryBackEnd: HTTPBackEnd {
  let port: Int
  private let dispatcher: RequestDispatcher
  private let closingConnections = ClosingConnections()
  @safe
  private struct Daemon: @unchecked Sendable {
    // Unchecked because of the pointer, which is passed to functions that any thread may call.

    /// Valid until the server is stopped.
    let pointer: OpaquePointer
  }
  private let daemon = Lock<Daemon?>(nil)

  /// Creates a dispatcher for this back end.
  static func makeDispatcher(
    _ options: HTTPServer.Options, _ handler: @escaping HTTPServer.Handler
  ) -> RequestDispatcher {
    RequestDispatcher(
      options: options, handler: handler, disconnect: { aacorn_mhd_cut($0) },
      inspect: { ConnectionLimiter.ClientSnapshot(of: $0) })
  }

  /// Starts the library at a socket, which the library owns from now on.
  ///
  /// Returns nil if it cannot start.
  init?(_ listener: HTTPListener, for dispatcher: RequestDispatcher) {
    self.dispatcher = dispatcher
    port = listener.port
    let options = dispatcher.options
    var settings = unsafe aacorn_mhd_settings()
    unsafe settings.listener = listener.descriptor
    // A new client displaces another one, and both are connected for a moment.
    unsafe settings.connection_limit = UInt32(clamping: dispatcher.maxClientCount + 64)
    let idleSeconds = (options.idleTimeout.millisecondsToWait + 999) / 1000
    unsafe settings.idle_seconds = UInt32(clamping: max(1, idleSeconds))
    unsafe settings.connection_memory = max(4096, options.connectionMemory)
    unsafe settings.connected = Self.connected
    unsafe settings.begun = Self.begun
    unsafe settings.access = Self.access
    unsafe settings.completed = Self.completed
    // The pointer stays valid: the server owns this object, and stops the library's thread first.
    unsafe settings.context = Unmanaged.passUnretained(self).toOpaque()
    guard let pointer = unsafe aacorn_mhd_start(&settings) else { return nil }
    daemon.withLock { $0 = unsafe Daemon(pointer: pointer) }
  }

  func stop() {
    closingConnections.close()
    let present = daemon.withLock { daemon in
      defer { daemon = nil }
      return daemon
    }
    if let present { unsafe aacorn_mhd_stop(present.pointer) }
  }

  func drain(at now: Int64) -> Bool { closingConnections.drain(at: now) }

  // MARK: Callbacks on the library's thread

  private static func backEnd(_ context: UnsafeMutableRawPointer) -> LibraryBackEnd {
    unsafe Unmanaged<LibraryBackEnd>.fromOpaque(context).takeUnretainedValue()
  }

  private static let connected: aacorn_mhd_connected = { context, connection, slot, what in
    guard let context = unsafe context, let connection = unsafe connection,
      let slot = unsafe slot
    else { return }
    let backEnd = unsafe backEnd(context)
    let socket = unsafe aacorn_mhd_socket(connection)
    if what == UInt32(AACORN_MHD_CONNECTION_STARTED) {
      let neighborhood = unsafe aacorn_mhd_neighborhood(connection)
      let number = backEnd.dispatcher.enter(socket, from: neighborhood)
      unsafe slot.pointee = UnsafeMutableRawPointer(bitPattern: number)
    } else {
      let number = unsafe Int(bitPattern: slot.pointee)
      backEnd.dispatcher.limiter.leave(number)
      if backEnd.closingConnections.leave(number, socket, at: System.nanoseconds) {
        backEnd.dispatcher.wake.signal()
      }
    }
  }

  private static let begun: aacorn_mhd_begun = { context, target, connection in
    guard let context = unsafe context, let target = unsafe target,
      let connection = unsafe connection
    else { return nil }
    let dispatcher = unsafe backEnd(context).dispatcher
    let number = unsafe Int(bitPattern: aacorn_mhd_place(connection))
    let words = unsafe LibraryRequest.text(target)
    let size = unsafe aacorn_mhd_hide_query(target)
    let exchange = unsafe HTTPExchange(LibraryConnection(connection), number, dispatcher.options)
    dispatcher.recordRequestStart(number)
    return unsafe Unmanaged.passRetained(LibraryRequest(exchange, words, size)).toOpaque()
  }

  private static let access: aacorn_mhd_access = {
    context, connection, target, method, version, upload, uploadSize, request in
    guard let context = unsafe context, let connection = unsafe connection,
      let uploadSize = unsafe uploadSize, let known = unsafe request?.pointee
    else { return UInt32(AACORN_MHD_NO) }
    let backEnd = unsafe backEnd(context)
    let request = unsafe Unmanaged<LibraryRequest>.fromOpaque(known).takeUnretainedValue()
    let exchange = request.exchange
    let step: HTTPStep
    if !exchange.hasBegun {
      let head = unsafe request.head(method, target, version, of: connection)
      step = backEnd.dispatcher.begin(
        exchange, head, from: unsafe LibraryRequest.address(of: connection))
    } else if unsafe uploadSize.pointee > 0 {
      let part = unsafe UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee)
      step = unsafe exchange.receive(part) ? .readRemainder : .close
      unsafe uploadSize.pointee = 0
    } else {
      step = backEnd.dispatcher.proceed(with: exchange)
    }
    let isFine = unsafe backEnd.carryOut(step, for: exchange, on: connection)
    return UInt32(isFine ? AACORN_MHD_YES : AACORN_MHD_NO)
  }

  private static let completed: aacorn_mhd_completed = { context, _, request, _ in
    guard let context = unsafe context, let known = unsafe request?.pointee else { return }
    unsafe request?.pointee = nil
    let dispatcher = unsafe backEnd(context).dispatcher
    let request = unsafe Unmanaged<LibraryRequest>.fromOpaque(known).takeRetainedValue()
    dispatcher.complete(request.exchange)
  }

  /// Performs a step.
  ///
  /// Returns whether the connection may continue.
  private func carryOut(
    _ step: HTTPStep, for exchange: HTTPExchange, on connection: OpaquePointer
  ) -> Bool {
    switch step {
    case .readRemainder, .readToEnd, .wait: return true
    case .close: return false
    case .answer(let answer):
      // The library itself ends a connection whose request is answered before its body was read.
      if answer.leavesBody { closingConnections.expect(exchange.slot) }
      return unsafe LibraryResponse.send(answer, on: connection)
    }
  }
}
#endif
