#if canImport(Network)
import Dispatch
import Foundation
import Network

/// A connection over TCP or TLS through Apple's Network framework, for a single thread that waits.
///
/// The framework calls back on a queue. The callbacks store their results under a lock and write a
/// byte to a pipe to wake the thread, so that it can wait for other descriptors at the same time.
/// Proxies are the system's proxies.
package final class NetworkLink: Sendable {
  /// The state of connecting.
  package enum Phase: Equatable, Sendable {
    case connecting
    case ready
    case failed(NetworkFault)
  }

  /// The state of sending.
  package enum Sending: Equatable, Sendable {
    /// The framework has not yet passed on all bytes.
    case waiting
    case done
    case failed(NetworkFault)
  }

  /// The two directions end separately.
  ///
  /// After a send error the last bytes from the server can still be read, and bytes can be sent to
  /// a server that has ended its side.
  private struct State {
    var phase = Phase.connecting
    /// The reason why the connection is not ready yet, if the framework waits for a condition.
    var waitReason: NetworkFault?
    var received: [UInt8] = []
    var isReceiving = false
    var receiveEnd: NetworkFault?
    /// The number of bytes passed to the framework that it has not passed on yet.
    var pendingCount = 0
    var sendFault: NetworkFault?
    var certificate: CertificateFault?

    /// Stores only the first fault, since later ones follow from it.
    mutating func fail(_ fault: NetworkFault) {
      if case .failed = phase { return }
      phase = .failed(fault)
    }
  }

  /// The maximum number of received bytes stored for the thread.
  package static let receiveLimit = 16_384
  /// Seconds without an acknowledgment after which the system closes a connection.
  ///
  /// The default of more than a minute is too long, because the buffers of both ends hide the
  /// failure for seconds already: sending waits only when they are full.
  private static let silence = 15
  /// Seconds after which an idle connection is first probed, and seconds between further probes.
  private static let probes = (first: 30, next: 10)

  private let connection: NWConnection
  private let wakePipe: WakePipe
  private let state: Lock<State>

  /// Starts connecting.
  ///
  /// `proxy` must be nil for the system's proxy, or empty for none.
  package init(
    to host: String, port: UInt16, security: NetworkSecurity, proxy: String?
  ) throws(NetworkFault) {
    if let proxy, !proxy.isEmpty { throw .foreignProxy }
    guard let endpointPort = NWEndpoint.Port(rawValue: port) else { throw .unreachable }
    let tcp = NWProtocolTCP.Options()
    tcp.noDelay = true
    tcp.connectionDropTime = Self.silence
    // The timeout also applies to a server that acknowledges data but does not accept any more.
    tcp.persistTimeout = Self.silence
    tcp.enableKeepalive = true
    tcp.keepaliveIdle = Self.probes.first
    tcp.keepaliveInterval = Self.probes.next

    let queue = DispatchQueue(label: "Aacorn.NetworkLink")
    let state = Lock(State())
    let tls = try security.options(on: queue) { fault in
      state.withLock { $0.certificate = fault }
    }
    let parameters = NWParameters(tls: tls, tcp: tcp)
    parameters.preferNoProxies = proxy != nil
    guard let wakePipe = WakePipe() else { throw .noResources }
    self.state = state
    self.wakePipe = wakePipe
    connection = NWConnection(host: NWEndpoint.Host(host), port: endpointPort, using: parameters)
    connection.stateUpdateHandler = { [weak self] in self?.handle($0) }
    connection.start(queue: queue)
  }

  deinit {
    connection.stateUpdateHandler = nil
    connection.cancel()
  }

  // MARK: Methods for the thread

  /// The state of connecting.
  package var phase: Phase { state.withLock(\.phase) }

  /// The reason why the connection is not ready yet, if that can still change.
  package var waitReason: NetworkFault? { state.withLock(\.waitReason) }

  /// The bytes of the server's numeric address; nil if unknown.
  package var peerAddress: [UInt8]? {
    guard case .hostPort(let host, _) = connection.currentPath?.remoteEndpoint else { return nil }
    switch host {
    case .ipv4(let address): return [UInt8](address.rawValue)
    case .ipv6(let address): return [UInt8](address.rawValue)
    default: return nil
    }
  }

  /// The state of sending: whether the framework has passed on all bytes, or has failed.
  package var sending: Sending {
    state.withLock { state in
      if let fault = state.sendFault { return .failed(fault) }
      if case .failed(let fault) = state.phase { return .failed(fault) }
      return state.pendingCount == 0 ? .done : .waiting
    }
  }

  /// Starts sending; `sending` shows the progress.
  package func send(_ bytes: ArraySlice<UInt8>) {
    state.withLock { $0.pendingCount += bytes.count }
    let count = bytes.count
    connection.send(
      content: Data(bytes),
      completion: .contentProcessed { [weak self] error in
        self?.update { state in
          state.pendingCount -= count
          if let error, state.sendFault == nil {
            state.sendFault = NetworkFault(error, state.certificate)
          }
        }
      })
  }

  /// Removes and returns the received bytes.
  ///
  /// `end` is the reason why no more bytes will arrive; it is nil while bytes are returned or more
  /// may arrive.
  package func receive() -> (bytes: [UInt8], end: NetworkFault?) {
    let (bytes, end, mayAsk) = state.withLock { state in
      let bytes = state.received
      state.received = []
      // Read from a failed connection, too, since earlier bytes may still be available.
      let mayAsk = state.phase != .connecting && state.receiveEnd == nil && !state.isReceiving
      if mayAsk { state.isReceiving = true }
      return (bytes, bytes.isEmpty ? state.receiveEnd : nil, mayAsk)
    }
    // Request more only after the stored bytes were read, so that a flood of data fills the peer's
    // buffers instead of this memory.
    if mayAsk { ask() }
    return (bytes, end)
  }

  /// Waits until the state of the connection changes, `stop` can be read, or `milliseconds` have
  /// passed.
  package func wait(orFor stop: Int32?, milliseconds: Int) {
    _ = System.wait(
      for: wakePipe.reading, writing: false, orFor: stop, milliseconds: milliseconds)
    wakePipe.drain()
  }

  /// Closes the connection gracefully, after the framework has sent the bytes passed to it.
  package func close() { connection.cancel() }

  /// Closes the connection immediately; bytes passed to the framework may not arrive.
  package func abandon() { connection.forceCancel() }

  // MARK: Callbacks of the framework

  private func handle(_ change: NWConnection.State) {
    switch change {
    case .ready: update { state in if state.phase == .connecting { state.phase = .ready } }
    case .waiting(let error):
      let isDenied = connection.currentPath?.unsatisfiedReason == .localNetworkDenied
      update { state in
        let fault = isDenied ? .localNetworkDenied : NetworkFault(error, state.certificate)
        if fault.isAwaited {
          state.waitReason = fault
        } else {
          state.fail(fault)
        }
      }
    case .failed(let error): update { $0.fail(NetworkFault(error, $0.certificate)) }
    case .cancelled: update { $0.fail(.closed) }
    case .setup, .preparing: break
    @unknown default: break
    }
  }

  private func ask() {
    connection.receive(minimumIncompleteLength: 1, maximumLength: Self.receiveLimit) {
      [weak self] data, _, isComplete, error in
      self?.update { state in
        state.isReceiving = false
        // One callback may deliver data together with the end or an error.
        if let data { state.received += data }
        if isComplete {
          state.receiveEnd = .closed
        } else if let error {
          state.receiveEnd = NetworkFault(error, state.certificate)
        }
      }
    }
  }

  private func update(_ change: (inout State) -> Void) {
    state.withLock { change(&$0) }
    wakePipe.wake()
  }
}
#endif
