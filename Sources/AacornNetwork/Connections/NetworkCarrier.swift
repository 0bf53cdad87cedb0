#if canImport(Network)
import AacornSystem
import Dispatch
import Foundation
import Network

/// A carrier that accepts connections through Apple's Network framework and uses them on a queue.
///
/// The framework may cancel the listener of a suspended app. The carrier then creates it again at
/// the same port, so that the server is available when the app is resumed.
final class NetworkCarrier: ByteCarrier {
  private let httpListener: HTTPListener
  private let silence: Int
  private let queue = DispatchQueue(label: "Aacorn.HTTPServer")
  /// The key of a mark on the queue of each carrier.
  private struct QueueKey: @unchecked Sendable {
    // Unchecked because some SDKs do not declare that the key, which is only an address, is sendable.
    let key = DispatchSpecificKey<ObjectIdentifier>()
  }

  private static let queueKey = QueueKey()
  private let state = Lock(ListenerState<NWListener>())

  /// The maximum number of seconds for a listener to start or to end.
  private static let timeoutSeconds = 10
  /// The number of milliseconds between checks for idle connections.
  private static let checkInterval = 500
  /// The number of milliseconds until the next attempt to listen.
  private static let pause = 1000
  /// The keepalive settings: the seconds before the first probe and between probes, and the number
  /// of probes.
  private static let probes = (time: 15, count: 4)

  var port: Int { state.withLock(\.port) }

  /// Starts listening at the address and port of `httpListener`, whose socket is closed.
  init(_ httpListener: HTTPListener, for dispatcher: RequestDispatcher) throws(NetworkError) {
    self.httpListener = httpListener
    let idle = dispatcher.options.idleTimeout.millisecondsToWait
    silence = max(Self.probes.time, idle / 1000 + 1)
    queue.setSpecific(key: Self.queueKey.key, value: ObjectIdentifier(self))
    let outcome = Lock<Outcome?>(nil)
    let answered = Semaphore()
    listen(at: httpListener.wantedPort, for: dispatcher) { newOutcome in
      let isFirst = outcome.withLock { outcome in
        defer { outcome = outcome ?? newOutcome }
        return outcome == nil
      }
      if isFirst { answered.signal() }
    }
    _ = answered.wait(milliseconds: Self.timeoutSeconds * 1000)
    let result = outcome.withLock { outcome in
      outcome = outcome ?? .impossible
      return outcome
    }
    if case .ready? = result { return }
    state.withLock { $0.isFinished = true }
    state.withLock(\.listener)?.cancel()
    if case .failed(let error)? = result { throw failure(error) }
    throw failure(nil)
  }

  func perform(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

  func stop(_ work: @escaping @Sendable () -> Void) {
    let listener = state.withLock { state in
      state.isFinished = true
      defer { state.listener = nil }
      return state.listener
    }
    // A handler may release the server, so this can be the queue, which cannot wait for itself.
    if DispatchQueue.getSpecific(key: Self.queueKey.key) == ObjectIdentifier(self) {
      listener?.cancel()
      return work()
    }
    end(listener)
    queue.sync(execute: work)
  }

  /// Ends a listener, and waits until its port is free.
  private func end(_ listener: NWListener?) {
    guard let listener else { return }
    let gone = Semaphore()
    listener.newConnectionHandler = nil
    listener.stateUpdateHandler = { state in
      if case .cancelled = state { gone.signal() }
    }
    listener.cancel()
    _ = gone.wait(milliseconds: Self.timeoutSeconds * 1000)
  }

  // MARK: Listening

  /// The outcome of an attempt to listen.
  private enum Outcome {
    case ready
    case failed(NWError)
    /// The framework cannot create a listener.
    case impossible
  }

  private func listen(
    at port: Int, for dispatcher: RequestDispatcher, _ report: @escaping @Sendable (Outcome) -> Void
  ) {
    guard let listener = makeListener(at: port) else { return report(.impossible) }
    listener.newConnectionLimit = Self.burst
    listener.newConnectionHandler = { [weak self, weak dispatcher] connection in
      guard let self, let dispatcher else { return connection.cancel() }
      accept(connection, for: dispatcher)
    }
    listener.stateUpdateHandler = { [weak self, weak dispatcher, weak listener] change in
      guard let self, let dispatcher, let listener else { return }
      switch change {
      case .ready:
        state.withLock { $0.port = Int(listener.port?.rawValue ?? 0) }
        report(.ready)
      // No new listener is needed: this one continues when a network for the address is available
      // again.
      case .waiting(let error): report(.failed(error))
      case .failed(let error):
        report(.failed(error))
        relisten(instead: listener, for: dispatcher)
      case .setup, .cancelled: break
      @unknown default: break
      }
    }
    let isWanted = state.withLock { state in
      if !state.isFinished { state.listener = listener }
      return !state.isFinished
    }
    if isWanted { listener.start(queue: queue) }
  }

  private func makeListener(at port: Int) -> NWListener? {
    let tcp = NWProtocolTCP.Options()
    tcp.noDelay = true
    // `persistTimeout` is for a client that acknowledges bytes but does not read them.
    tcp.connectionDropTime = silence
    tcp.persistTimeout = silence
    tcp.enableKeepalive = true
    tcp.keepaliveIdle = Self.probes.time
    tcp.keepaliveInterval = Self.probes.time
    tcp.keepaliveCount = Self.probes.count
    let parameters = NWParameters(tls: nil, tcp: tcp)
    // Closed connections of an earlier server (TIME_WAIT) must not block the port.
    parameters.allowLocalEndpointReuse = true
    guard let number = UInt16(exactly: port),
      let endpointPort = number == 0 ? .any : NWEndpoint.Port(rawValue: number)
    else { return nil }
    // Without an address, the framework listens at all addresses of both families.
    if httpListener.numericAddress == "::" {
      return try? NWListener(using: parameters, on: endpointPort)
    }
    parameters.requiredLocalEndpoint = .hostPort(
      host: NWEndpoint.Host(httpListener.numericAddress), port: endpointPort)
    return try? NWListener(using: parameters)
  }

  /// Replaces a listener that has failed after it was ready.
  private func relisten(instead listener: NWListener, for dispatcher: RequestDispatcher) {
    guard let port = state.withLock({ $0.remove(listener) }) else { return }
    listener.newConnectionHandler = nil
    listener.stateUpdateHandler = nil
    listener.cancel()
    relisten(at: port, for: dispatcher)
  }

  private func relisten(at port: Int, for dispatcher: RequestDispatcher) {
    queue.asyncAfter(deadline: .now() + .milliseconds(Self.pause)) { [weak self, weak dispatcher] in
      guard let self, let dispatcher, !state.withLock(\.isFinished) else { return }
      listen(at: port, for: dispatcher) { [weak self, weak dispatcher] newOutcome in
        // An existing listener tries again on its own.
        guard case .impossible = newOutcome, let self, let dispatcher else { return }
        relisten(at: port, for: dispatcher)
      }
    }
  }

  private func failure(_ error: NWError?) -> NetworkError {
    if case .posix(let code)? = error {
      return HTTPListener.failure(
        SystemError(code: code.rawValue), address: httpListener.address,
        port: httpListener.wantedPort)
    }
    return NetworkError(
      .serverFault,
      "The server for \(httpListener.url) cannot be started: the system reports no reason. Try again."
    )
  }

  // MARK: The queue

  private func accept(_ connection: NWConnection, for dispatcher: RequestDispatcher) {
    if dispatcher.isFull || state.withLock(\.isFinished) {
      acceptMoreClients()
      return connection.cancel()
    }
    let link = NetworkByteLink(connection)
    link.start(on: queue)
    dispatcher.accept(link, from: Self.address(of: connection), through: self)
    watch(dispatcher)
    acceptMoreClients()
  }

  /// Accepts more new clients after all work in the queue.
  private func acceptMoreClients() {
    let isFirst = state.withLock { state in
      defer { state.isAccepting = true }
      return !state.isAccepting
    }
    if !isFirst { return }
    queue.async { [weak self] in
      let listener = self?.state.withLock { state in
        state.isAccepting = false
        return state.listener
      }
      listener?.newConnectionLimit = Self.burst
    }
  }

  private static func address(of connection: NWConnection) -> PeerAddress {
    guard case .hostPort(let host, _) = connection.endpoint else { return .file }
    if case .ipv4(let address) = host { return PeerAddress([UInt8](address.rawValue)) }
    if case .ipv6(let address) = host { return PeerAddress([UInt8](address.rawValue)) }
    return PeerAddress([])
  }

  /// Checks for idle connections at intervals, as long as there are connections.
  private func watch(_ dispatcher: RequestDispatcher) {
    let isFirst = state.withLock { state in
      if state.isWatching || state.isFinished { return false }
      state.isWatching = true
      return true
    }
    if !isFirst { return }
    queue.asyncAfter(deadline: .now() + .milliseconds(Self.checkInterval)) {
      [weak self, weak dispatcher] in
      guard let self, let dispatcher else { return }
      state.withLock { $0.isWatching = false }
      if state.withLock(\.isFinished) { return }
      _ = dispatcher.checkTimes(at: System.nanoseconds)
      if dispatcher.connections.count > 0 { watch(dispatcher) }
    }
  }
}
#endif
