// swift-format-ignore-file
// Apple documents these declarations.

public import Dispatch
public import Foundation
import Glibc
import Security

// The overlay's NWConnection.swift, macOS 10.14, iOS 12, tvOS 12, watchOS 6.
/// A connection that uses a socket of this system.
public final class NWConnection: @unchecked Sendable {
  // Unchecked because of the handler and the state, which are used only under the lock.

  public enum State: Sendable {
    case setup
    case waiting(NWError)
    case preparing
    case ready
    case failed(NWError)
    case cancelled
  }

  public class ContentContext: @unchecked Sendable {
    public static let defaultMessage = ContentContext()
    public static let finalMessage = ContentContext()
    init() {}
  }

  public enum SendCompletion: Sendable {
    case contentProcessed(@Sendable (_ error: NWError?) -> Void)
    case idempotent
  }

  public let endpoint: NWEndpoint
  private let host: String
  private let port: UInt16
  private let parameters: NWParameters
  /// The socket of a client that a listener has accepted.
  private let stream: SimulatedStream?
  private let lock = NSLock()
  private var handler: (@Sendable (State) -> Void)?
  private var queue: DispatchQueue?
  private var socket: SimulatedSocket?
  private var isCancelled = false
  private var isReceiving = false
  private let writing = DispatchQueue(label: "writing")
  private let reading = DispatchQueue(label: "reading")

  public init(host: NWEndpoint.Host, port: NWEndpoint.Port, using parameters: NWParameters) {
    endpoint = .hostPort(host: host, port: port)
    self.host = host.text
    self.port = port.rawValue
    self.parameters = parameters
    stream = nil
  }

  init(_ stream: SimulatedStream, _ endpoint: NWEndpoint) {
    self.endpoint = endpoint
    self.stream = stream
    host = ""
    port = 0
    parameters = NWParameters(tls: nil)
  }

  deinit { stream?.close {} }

  public var stateUpdateHandler: (@Sendable (_ state: NWConnection.State) -> Void)? {
    get { lock.withLock { handler } }
    set { lock.withLock { handler = newValue } }
  }

  public var currentPath: NWPath? {
    NWPath(
      unsatisfiedReason: SimulatedNetwork.shared.isLocalNetworkDenied
        ? .localNetworkDenied : .notAvailable)
  }

  public func start(queue: DispatchQueue) {
    let isFirst = lock.withLock {
      defer { self.queue = queue }
      return self.queue == nil
    }
    precondition(isFirst, "A connection is started once.")
    if stream != nil { return report(.ready) }
    reading.async { self.connect() }
  }

  public func cancel() {
    let socket: SimulatedSocket?? = lock.withLock {
      if isCancelled { return nil }
      isCancelled = true
      return self.socket
    }
    if let stream { return stream.close { self.report(.cancelled) } }
    guard let socket else { return }
    // Pending data is sent before the socket is closed.
    writing.async {
      socket?.close()
      self.report(.cancelled)
    }
  }

  public func forceCancel() {
    let socket: SimulatedSocket?? = lock.withLock {
      if isCancelled { return nil }
      isCancelled = true
      return self.socket
    }
    stream?.abort()
    guard let socket else { return }
    socket?.abort()
    report(.cancelled)
  }

  public func send(
    content: Data?, contentContext: ContentContext = .defaultMessage, isComplete: Bool = true,
    completion: SendCompletion
  ) {
    let bytes = content.map { [UInt8]($0) } ?? []
    if let stream {
      stream.send(bytes) { error in
        guard case .contentProcessed(let body) = completion else { return }
        self.call { body(error.map(NWError.posix)) }
      }
      if contentContext === ContentContext.finalMessage && isComplete { stream.finish() }
      return
    }
    precondition(contentContext === ContentContext.defaultMessage, "This is not simulated.")
    writing.async {
      let socket = self.lock.withLock { self.isCancelled ? nil : self.socket }
      let error: NWError? =
        if let fault = SimulatedNetwork.shared.sendFault {
          .posix(fault)
        } else if let socket {
          socket.send(bytes).map(NWError.posix)
        } else {
          .posix(.ECANCELED)
        }
      guard case .contentProcessed(let body) = completion else { return }
      self.call { body(error) }
    }
  }

  public func receive(
    minimumIncompleteLength: Int, maximumLength: Int,
    completion: @escaping @Sendable (
      _ content: Data?, _ contentContext: ContentContext?, _ isComplete: Bool, _ error: NWError?
    ) -> Void
  ) {
    precondition(minimumIncompleteLength > 0 && maximumLength >= minimumIncompleteLength)
    let isFirst = lock.withLock {
      defer { isReceiving = true }
      return !isReceiving
    }
    precondition(isFirst, "The order of two pending calls of receive would not be known.")
    let answer: @Sendable (Result<ReceivedBytes, SocketError>) -> Void = { result in
      self.lock.withLock { self.isReceiving = false }
      self.call {
        switch result {
        case .success(let received):
          let data = received.bytes.isEmpty ? nil : Data(received.bytes)
          completion(data, .defaultMessage, received.isLast, nil)
        case .failure(let error): completion(nil, nil, false, .posix(error.code))
        }
      }
    }
    if let stream { return stream.receive(atMost: maximumLength, answer) }
    reading.async {
      let socket = self.lock.withLock { self.isCancelled ? nil : self.socket }
      answer(socket?.receive(atMost: maximumLength) ?? .failure(.canceled))
    }
  }

  // MARK: - Implementation

  private func connect() {
    report(.preparing)
    let isUnwanted = { self.lock.withLock { self.isCancelled } }
    if SimulatedNetwork.shared.isLocalNetworkDenied {
      report(.waiting(.posix(.ENETDOWN)))
      // The system prompts the user. If the user grants the permission, the connection continues.
      while SimulatedNetwork.shared.isLocalNetworkDenied {
        if isUnwanted() { return }
        usleep(5000)
      }
      report(.preparing)
    }
    let socket: SimulatedSocket
    switch SimulatedSocket.connected(to: host, port: port, until: isUnwanted) {
    case .success(let connected): socket = connected
    case .failure(let error): return report(.waiting(error))
    }
    let isLate = lock.withLock {
      if !isCancelled { self.socket = socket }
      return isCancelled
    }
    if isLate { return socket.close() }
    guard let options = parameters.tls?.securityProtocolOptions else { return report(.ready) }
    performHandshake(options, over: socket)
  }

  private func performHandshake(_ options: sec_protocol_options_t, over socket: SimulatedSocket) {
    let network = SimulatedNetwork.shared
    network.record(options)
    // One byte in each direction represents the whole handshake.
    if let error = socket.send([22]) { return report(.failed(.posix(error))) }
    switch socket.receive(atMost: 1) {
    case .success(let answer) where answer.bytes.isEmpty: return report(.failed(.posix(.ECONNRESET)))
    case .failure(let error): return report(.failed(.posix(error.code)))
    case .success: break
    }
    if network.isEncryptionRefused { return report(.waiting(.tls(-9824))) }
    let trust = sec_trust_t(fault: network.certificateFault)
    guard let (check, queue) = options.verification else {
      return report(network.certificateFault == nil ? .ready : .failed(.tls(-9807)))
    }
    nonisolated(unsafe) let block = check
    nonisolated(unsafe) let reference = trust
    queue.async {
      block(sec_protocol_metadata_t(), reference) { isTrusted in
        network.record(reference.result)
        self.report(isTrusted ? .ready : .failed(network.certificateRejection))
      }
    }
  }

  /// Calls back on the connection's queue.
  private func call(_ body: @escaping @Sendable () -> Void) {
    lock.withLock { queue }?.async(execute: body)
  }

  private func report(_ state: State) {
    call { self.stateUpdateHandler?(state) }
  }
}
