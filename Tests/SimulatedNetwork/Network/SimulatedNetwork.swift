public import Foundation
public import Security

/// What a test wants of the network, and what it has seen.
public final class SimulatedNetwork: @unchecked Sendable {
  // Unchecked because of the values, which are used under the lock only.

  /// The network of this process; tests that change it must not run side by side.
  public static let shared = SimulatedNetwork()

  private struct Values {
    var isLocalNetworkDenied = false
    var isEncryptionRefused = false
    var certificateFault: Int?
    var anchors: [[UInt8]]?
    var trustsOnlyAnchors = false
    var leastVersion: tls_protocol_version_t?
    var isResumptionEnabled = true
    var sendFault: POSIXErrorCode?
    var refusal = NWError.tls(-9808)
  }
  private let lock = NSLock()
  private var values = Values()

  /// Makes everything as it was.
  public func reset() { lock.withLock { values = Values() } }

  /// Whether the user has not let the app use the local network.
  public var isLocalNetworkDenied: Bool {
    get { lock.withLock { values.isLocalNetworkDenied } }
    set { lock.withLock { values.isLocalNetworkDenied = newValue } }
  }

  /// Whether the server speaks no TLS.
  public var isEncryptionRefused: Bool {
    get { lock.withLock { values.isEncryptionRefused } }
    set { lock.withLock { values.isEncryptionRefused = newValue } }
  }

  /// The code of what is wrong with the server's certificate; nil if nothing is.
  public var certificateFault: Int? {
    get { lock.withLock { values.certificateFault } }
    set { lock.withLock { values.certificateFault = newValue } }
  }

  /// How sending ends from now on; nil if it does as the sockets do.
  public var sendFault: POSIXErrorCode? {
    get { lock.withLock { values.sendFault } }
    set { lock.withLock { values.sendFault = newValue } }
  }

  /// What becomes of a connection whose certificate is refused, which differs by version.
  public var refusal: NWError {
    get { lock.withLock { values.refusal } }
    set { lock.withLock { values.refusal = newValue } }
  }

  /// Whether the last connection may take up an earlier session.
  public var isResumptionEnabled: Bool { lock.withLock { values.isResumptionEnabled } }

  /// The certificates that the last check was told to trust; nil for the system's.
  public var anchors: [[UInt8]]? { lock.withLock { values.anchors } }
  /// Whether the last check trusted only those.
  public var trustsOnlyAnchors: Bool { lock.withLock { values.trustsOnlyAnchors } }
  /// The oldest TLS that the last connection took.
  public var leastVersion: tls_protocol_version_t? { lock.withLock { values.leastVersion } }

  private struct Listening {
    weak var listener: NWListener?
  }
  private var listeners: [UInt16: Listening] = [:]

  func note(_ listener: NWListener, at port: UInt16) {
    lock.withLock { listeners[port] = Listening(listener: listener) }
  }

  /// Takes the socket away from whoever listens at a port, as a system does with an app that sleeps.
  public func takeListener(at port: Int) {
    lock.withLock { listeners[UInt16(port)]?.listener }?.fail()
  }

  func note(_ trust: SecTrust) {
    lock.withLock {
      values.anchors = trust.anchors
      values.trustsOnlyAnchors = trust.trustsOnlyAnchors
    }
  }

  func note(_ options: sec_protocol_options_t) {
    lock.withLock {
      values.leastVersion = options.leastVersion
      values.isResumptionEnabled = options.isResumptionEnabled
    }
  }
}
