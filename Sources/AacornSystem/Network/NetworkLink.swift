#if canImport(Network)
import Dispatch
import Foundation
import Network

/// A connection over TCP or TLS through Apple's Network framework, for one thread that waits.
///
/// The framework calls back on a queue. What it says is kept under a lock, and a byte in a pipe
/// wakes the thread, so that it can wait for something else at the same time. Proxies are the
/// system's.
package final class NetworkLink: Sendable {
  /// How far it is with connecting.
  package enum Phase: Equatable, Sendable {
    case connecting
    case ready
    case failed(NetworkFault)
  }

  /// How far it is with sending.
  package enum Sending: Equatable, Sendable {
    /// Bytes have not been passed on yet.
    case waiting
    case done
    case failed(NetworkFault)
  }

  /// The two directions end each for itself: what a server says before it closes can be read after
  /// sending has failed, and bytes may go to one that has ended its side.
  private struct State {
    var phase = Phase.connecting
    /// Why it is not connected yet, if the framework waits for something.
    var hindrance: NetworkFault?
    var received: [UInt8] = []
    var isReceiving = false
    var receiveEnd: NetworkFault?
    /// Bytes given to the framework that it has not passed on.
    var pendingCount = 0
    var sendFault: NetworkFault?
    var certificate: CertificateFault?

    /// The first reason counts, since others follow from it.
    mutating func fail(_ fault: NetworkFault) {
      if case .failed = phase { return }
      phase = .failed(fault)
    }
  }

  /// The most bytes that are held for the thread.
  package static let receiveLimit = 16_384
  /// Seconds without an acknowledgment after which the system gives a connection up.
  ///
  /// The default is more than a minute, while the buffers of both ends take seconds of audio before
  /// sending has to wait at all.
  private static let silence = 15
  /// Seconds after which an idle connection is probed, and between the probes.
  private static let probes = (first: 30, next: 10)

  private let connection: NWConnection
  private let bell: (reading: Int32, writing: Int32)
  private let state: Lock<State>

  /// Begins to connect; `proxy` may only be nil for the system's, or empty for none.
  package init(
    to host: String, port: UInt16, security: NetworkSecurity, proxy: String?
  ) throws(NetworkFault) {
    if let proxy, !proxy.isEmpty { throw .foreignProxy }
    guard let place = NWEndpoint.Port(rawValue: port) else { throw .unreachable }
    let tcp = NWProtocolTCP.Options()
    tcp.noDelay = true
    tcp.connectionDropTime = Self.silence
    // The same for a server that acknowledges and takes nothing.
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
    guard let bell = System.makePipe() else { throw .noResources }
    self.state = state
    self.bell = bell
    connection = NWConnection(host: NWEndpoint.Host(host), port: place, using: parameters)
    connection.stateUpdateHandler = { [weak self] in self?.note($0) }
    connection.start(queue: queue)
  }

  deinit {
    connection.stateUpdateHandler = nil
    connection.cancel()
    try? System.close(bell.reading)
    try? System.close(bell.writing)
  }

  // MARK: The thread's side

  /// How far it is with connecting.
  package var phase: Phase { state.withLock(\.phase) }

  /// Why it is not connected yet, if it waits for something that may come.
  package var hindrance: NetworkFault? { state.withLock(\.hindrance) }

  /// Whether all bytes to send have been passed on.
  package var sending: Sending {
    state.withLock { state in
      if let fault = state.sendFault { return .failed(fault) }
      if case .failed(let fault) = state.phase { return .failed(fault) }
      return state.pendingCount == 0 ? .done : .waiting
    }
  }

  /// Begins to send; `sending` tells the end.
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

  /// Takes what has come; if that is nothing, why nothing more will come, or nil if it may.
  package func receive() -> (bytes: [UInt8], end: NetworkFault?) {
    let (bytes, end, mayAsk) = state.withLock { state in
      let bytes = state.received
      state.received = []
      // Of a connection that has failed, too: what came before that may still be had.
      let mayAsk = state.phase != .connecting && state.receiveEnd == nil && !state.isReceiving
      if mayAsk { state.isReceiving = true }
      return (bytes, bytes.isEmpty ? state.receiveEnd : nil, mayAsk)
    }
    // Nothing more is asked for until this was taken, so that a flood fills the other end's buffers
    // and not this memory.
    if mayAsk { ask() }
    return (bytes, end)
  }

  /// Waits until something has happened here, `stop` can be read, or the time is up.
  package func wait(orFor stop: Int32?, milliseconds: Int) {
    _ = System.wait(
      for: bell.reading, writing: false, orFor: stop, milliseconds: milliseconds)
    System.drain(bell.reading)
  }

  /// Closes in order, after what was passed on.
  package func close() { connection.cancel() }

  /// Closes at once; what was passed on may not arrive.
  package func abandon() { connection.forceCancel() }

  // MARK: The framework's side

  private func note(_ change: NWConnection.State) {
    switch change {
    case .ready: update { state in if state.phase == .connecting { state.phase = .ready } }
    case .waiting(let error):
      let isDenied = connection.currentPath?.unsatisfiedReason == .localNetworkDenied
      update { state in
        let fault = isDenied ? .localNetworkDenied : NetworkFault(error, state.certificate)
        // The user may be reading the question, or the radio be waking up. For other reasons the
        // framework would wait for another network, while whoever waits here tries again anyway.
        if fault == .localNetworkDenied || fault == .noNetwork {
          state.hindrance = fault
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
        // Both may come at once.
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
    System.poke(bell.writing)
  }
}
#endif
