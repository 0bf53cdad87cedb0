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
  /// How far it is.
  package enum Phase: Equatable, Sendable {
    case connecting
    case ready
    case failed(NetworkFault)
  }

  private struct State {
    var phase = Phase.connecting
    var received: [UInt8] = []
    var isReceiving = false
    /// Bytes given to the framework that it has not passed on.
    var pendingCount = 0
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

  /// How far it is.
  package var phase: Phase { state.withLock(\.phase) }

  /// Whether all bytes to send have been passed on.
  package var hasSent: Bool { state.withLock { $0.pendingCount == 0 } }

  /// Begins to send; `hasSent` tells the end.
  package func send(_ bytes: ArraySlice<UInt8>) {
    state.withLock { $0.pendingCount += bytes.count }
    let count = bytes.count
    connection.send(
      content: Data(bytes),
      completion: .contentProcessed { [weak self] error in
        self?.update { state in
          state.pendingCount -= count
          if let error { state.fail(NetworkFault(error, state.certificate)) }
        }
      })
  }

  /// Takes what has come; empty if there is nothing.
  package func receive() -> [UInt8] {
    let (bytes, mayAsk) = state.withLock { state in
      let bytes = state.received
      state.received = []
      let mayAsk = state.phase == .ready && !state.isReceiving
      if mayAsk { state.isReceiving = true }
      return (bytes, mayAsk)
    }
    // Nothing more is asked for until this was taken, so that a flood fills the other end's buffers
    // and not this memory.
    if mayAsk { ask() }
    return bytes
  }

  /// Waits until something has happened here, `stop` can be read, or the time is up.
  package func wait(orFor stop: Int32?, milliseconds: Int) {
    _ = System.wait(
      for: bell.reading, writing: false, orFor: stop, milliseconds: milliseconds)
    System.drain(bell.reading)
  }

  /// Closes in order, after what was passed on.
  package func close() { connection.cancel() }

  // MARK: The framework's side

  private func note(_ change: NWConnection.State) {
    switch change {
    case .ready: update { state in if state.phase == .connecting { state.phase = .ready } }
    case .waiting(let error):
      // The framework would wait for another network, while whoever waits here tries again anyway,
      // and shows the reason meanwhile.
      let isDenied = connection.currentPath?.unsatisfiedReason == .localNetworkDenied
      update { state in
        state.fail(isDenied ? .localNetworkDenied : NetworkFault(error, state.certificate))
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
        if let data { state.received += data }
        if isComplete {
          state.fail(.closed)
        } else if let error {
          state.fail(NetworkFault(error, state.certificate))
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
