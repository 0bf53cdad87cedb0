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

  public enum SendCompletion: Sendable {
    case contentProcessed(@Sendable (_ error: NWError?) -> Void)
    case idempotent
  }

  public let endpoint: NWEndpoint
  private let host: String
  private let port: UInt16
  private let parameters: NWParameters
  private let isAccepted: Bool
  private let lock = NSLock()
  private var handler: (@Sendable (State) -> Void)?
  private var queue: DispatchQueue?
  /// The socket once it is connected.
  private var stream: SimulatedStream?
  private var isCancelled = false
  private var isReceiving = false

  public init(host: NWEndpoint.Host, port: NWEndpoint.Port, using parameters: NWParameters) {
    endpoint = .hostPort(host: host, port: port)
    self.host = host.text
    self.port = port.rawValue
    self.parameters = parameters
    isAccepted = false
  }

  /// Creates the connection of a client that a listener has accepted.
  init(_ stream: SimulatedStream, _ endpoint: NWEndpoint) {
    self.endpoint = endpoint
    self.stream = stream
    isAccepted = true
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
        ? .localNetworkDenied : .notAvailable,
      remoteEndpoint: lock.withLock { stream }?.peer)
  }

  public func start(queue: DispatchQueue) {
    let isFirst = lock.withLock {
      defer { self.queue = queue }
      return self.queue == nil
    }
    precondition(isFirst, "A connection is started once.")
    if isAccepted { return report(.ready) }
    DispatchQueue(label: "connecting").async { self.connect() }
  }

  public func cancel() {
    guard let stream = markCancelled() else { return }
    guard let stream else { return report(.cancelled) }
    stream.close { self.report(.cancelled) }
  }

  public func forceCancel() {
    let isFirst = markCancelled() != nil
    lock.withLock { stream }?.abort()
    if isFirst { report(.cancelled) }
  }

  public func send(
    content: Data?, contentContext: ContentContext = .defaultMessage, isComplete: Bool = true,
    completion: SendCompletion
  ) {
    let answer: @Sendable (POSIXErrorCode?) -> Void = { error in
      guard case .contentProcessed(let body) = completion else { return }
      self.call { body(error.map(NWError.posix)) }
    }
    guard let stream = usableStream else { return answer(.ECANCELED) }
    if let fault = SimulatedNetwork.shared.sendFault { return answer(fault) }
    stream.send(content.map { [UInt8]($0) } ?? [], answer)
    if contentContext === ContentContext.finalMessage && isComplete { stream.finish() }
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
    guard let stream = usableStream else { return answer(.failure(.canceled)) }
    stream.receive(atMost: maximumLength, answer)
  }

  // MARK: - Implementation

  private var usableStream: SimulatedStream? { lock.withLock { isCancelled ? nil : stream } }

  /// Marks the connection as canceled, and returns its socket; nil if it was canceled before.
  private func markCancelled() -> SimulatedStream?? {
    lock.withLock {
      if isCancelled { return nil }
      isCancelled = true
      return .some(stream)
    }
  }

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
    let stream: SimulatedStream
    switch SimulatedStream.connected(to: host, port: port, until: isUnwanted) {
    case .success(let connected): stream = connected
    case .failure(let error): return report(.waiting(error))
    }
    let isLate = lock.withLock {
      if !isCancelled { self.stream = stream }
      return isCancelled
    }
    if isLate { return stream.close {} }
    guard let options = parameters.tls?.securityProtocolOptions else { return report(.ready) }
    SimulatedNetwork.shared.record(options)
    // One byte in each direction represents the whole handshake.
    stream.send([22]) { error in
      if let error { self.report(.failed(.posix(error))) }
    }
    stream.receive(atMost: 1) { result in
      switch result {
      case .success(let answer) where answer.bytes.isEmpty: self.report(.failed(.posix(.ECONNRESET)))
      case .failure(let error): self.report(.failed(.posix(error.code)))
      case .success: self.checkCertificate()
      }
    }
  }

  private func checkCertificate() {
    let network = SimulatedNetwork.shared
    if network.isEncryptionRefused { return report(.waiting(.tls(-9824))) }
    let trust = sec_trust_t(fault: network.certificateFault)
    guard let (check, queue) = parameters.tls?.securityProtocolOptions.verification else {
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
