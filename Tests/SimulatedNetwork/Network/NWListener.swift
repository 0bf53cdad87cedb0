// swift-format-ignore-file
// Apple documents these declarations.

public import Dispatch
import Foundation
import Glibc

// The overlay's NWListener.swift, macOS 10.14, iOS 12, tvOS 12, watchOS 6.
/// A listener that uses a socket of this system.
public final class NWListener: @unchecked Sendable {
  // Unchecked because of the variables, which are used only under the lock.

  private static let noLimit = Int.max

  private struct Values {
    var stateHandler: (@Sendable (State) -> Void)?
    var connectionHandler: (@Sendable (NWConnection) -> Void)?
    var connectionLimit = NWListener.noLimit
    var queue: DispatchQueue?
    /// The descriptor of the socket while it is open.
    var descriptor: Int32?
    /// Whether the listener does not accept clients because the connection limit is reached.
    var isResting = false
    var port: UInt16?
    var isFinished = false
    /// The state that is reported when the socket is closed.
    var end = State.cancelled
  }
  private let lock = NSLock()
  private var values = Values()
  private let parameters: NWParameters
  private let requestedPort: NWEndpoint.Port

  public init(using parameters: NWParameters, on port: NWEndpoint.Port = .any) throws {
    precondition(
      parameters.requiredLocalEndpoint == nil || port.rawValue == 0,
      "The port is given twice.")
    self.parameters = parameters
    requestedPort = port
  }

  public var stateUpdateHandler: (@Sendable (_ newState: NWListener.State) -> Void)? {
    get { lock.withLock { values.stateHandler } }
    set { lock.withLock { values.stateHandler = newValue } }
  }

  public var newConnectionHandler: (@Sendable (_ connection: NWConnection) -> Void)? {
    get { lock.withLock { values.connectionHandler } }
    set { lock.withLock { values.connectionHandler = newValue } }
  }

  /// The number of further connections to accept.
  ///
  /// Additional clients wait in the system's queue.
  public var newConnectionLimit: Int {
    get { lock.withLock { values.connectionLimit } }
    set {
      lock.withLock { values.connectionLimit = newValue }
      SimulatedStream.queue.async { self.goOn() }
    }
  }

  public var port: NWEndpoint.Port? {
    lock.withLock { values.port }.flatMap { NWEndpoint.Port(rawValue: $0) }
  }

  public func start(queue: DispatchQueue) {
    let isFirst = lock.withLock {
      defer { values.queue = queue }
      return values.queue == nil
    }
    precondition(isFirst, "A listener is started once.")
    precondition(newConnectionHandler != nil, "A listener needs a handler for its connections.")
    SimulatedStream.queue.async { self.listen() }
  }

  public func cancel() {
    SimulatedStream.queue.async { self.end(.cancelled) }
  }

  // MARK: - Implementation

  private func listen() {
    if lock.withLock({ values.isFinished }) { return }
    guard let (descriptor, port) = open() else {
      let code = POSIXErrorCode(rawValue: errno) ?? .EIO
      return report(.failed(.posix(code)))
    }
    lock.withLock {
      values.port = port
      values.descriptor = descriptor
    }
    waitForClients(descriptor)
    SimulatedNetwork.shared.record(self, at: port)
    report(.ready)
  }

  /// Opens the socket; returns nil and sets `errno` if that fails.
  private func open() -> (Int32, UInt16)? {
    var host = "::"
    var port = requestedPort.rawValue
    if case .hostPort(let name, let number)? = parameters.requiredLocalEndpoint {
      host = name.text
      port = number.rawValue
    }
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_NUMERICHOST | AI_PASSIVE
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &list) == 0, let info = list?.pointee else {
      errno = EINVAL
      return nil
    }
    defer { freeaddrinfo(list) }
    let descriptor = Glibc.socket(info.ai_family, info.ai_socktype, info.ai_protocol)
    guard descriptor >= 0 else { return nil }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var yes: Int32 = parameters.allowLocalEndpointReuse ? 1 : 0
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, 4)
    var address = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let isBound = bind(descriptor, info.ai_addr, info.ai_addrlen) == 0
      && Glibc.listen(descriptor, SOMAXCONN) == 0
      && withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
      } == 0
    if !isBound {
      let code = errno
      _ = Glibc.close(descriptor)
      errno = code
      return nil
    }
    // The offset of the port is the same in IPv4 and IPv6 addresses.
    let number = withUnsafeBytes(of: &address) { $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self) }
    return (descriptor, UInt16(bigEndian: number))
  }

  private func waitForClients(_ listener: Int32) {
    SocketWatch.shared.waitToRead(listener) { [weak self] in self?.accept(listener) }
  }

  private func accept(_ listener: Int32) {
    while true {
      if lock.withLock({ values.isFinished }) { return }
      if newConnectionLimit == 0 { return rest() }
      var address = sockaddr_storage()
      var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let descriptor = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.accept(listener, $0, &size) }
      }
      if descriptor < 0 { return waitForClients(listener) }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      let connection = NWConnection(SimulatedStream(descriptor), NWEndpoint(address))
      lock.withLock {
        if values.connectionLimit < NWListener.noLimit {
          values.connectionLimit -= 1
        }
      }
      call { $0.newConnectionHandler?(connection) }
    }
  }

  private func rest() { lock.withLock { values.isResting = true } }

  private func goOn() {
    let descriptor = lock.withLock { () -> Int32? in
      if !values.isResting || values.connectionLimit == 0 { return nil }
      values.isResting = false
      return values.descriptor
    }
    if let descriptor { waitForClients(descriptor) }
  }

  /// Ends the listener with an error, as when the system closes the socket.
  func fail() {
    SimulatedStream.queue.async { self.end(.failed(.posix(.ECONNABORTED))) }
  }

  private func end(_ state: State) {
    let descriptor = lock.withLock {
      defer {
        values.descriptor = nil
        values.isResting = false
        values.isFinished = true
        values.end = state
      }
      return values.descriptor
    }
    // The port must be free when the end is reported.
    guard let descriptor else { return reportEnd() }
    SocketWatch.shared.close(descriptor) { self.reportEnd() }
  }

  private func reportEnd() { report(lock.withLock { values.end }) }

  private func report(_ state: State) { call { $0.stateUpdateHandler?(state) } }

  /// Calls the handlers on the listener's queue.
  private func call(_ body: @escaping @Sendable (NWListener) -> Void) {
    lock.withLock { values.queue }?.async { body(self) }
  }
}
