public import Foundation
public import Security

/// The faults that a test sets in the simulated network, and the options that it observed.
public final class SimulatedNetwork: @unchecked Sendable {
  // Unchecked because of `values` and `listeners`, which are used only under the lock.

  /// The network of this process.
  ///
  /// Tests that change it must not run in parallel.
  public static let shared = SimulatedNetwork()

  private struct Values {
    var isLocalNetworkDenied = false
    var isEncryptionRefused = false
    var certificateFault: Int?
    var anchors: [[UInt8]]?
    var trustsOnlyAnchors = false
    var minTLSVersion: tls_protocol_version_t?
    var isResumptionEnabled = true
    var sendFault: POSIXErrorCode?
    var certificateRejection = NWError.tls(-9808)
  }
  private let lock = NSLock()
  private var values = Values()

  /// Resets all faults and observations.
  public func reset() { lock.withLock { values = Values() } }

  /// Whether the user has denied the app access to the local network.
  public var isLocalNetworkDenied: Bool {
    get { lock.withLock { values.isLocalNetworkDenied } }
    set { lock.withLock { values.isLocalNetworkDenied = newValue } }
  }

  /// Whether the server does not support TLS.
  public var isEncryptionRefused: Bool {
    get { lock.withLock { values.isEncryptionRefused } }
    set { lock.withLock { values.isEncryptionRefused = newValue } }
  }

  /// The error code of the server's certificate, or nil if the certificate is valid.
  public var certificateFault: Int? {
    get { lock.withLock { values.certificateFault } }
    set { lock.withLock { values.certificateFault = newValue } }
  }

  /// The error of every send operation, or nil to use the result of the sockets.
  public var sendFault: POSIXErrorCode? {
    get { lock.withLock { values.sendFault } }
    set { lock.withLock { values.sendFault = newValue } }
  }

  /// The error of a connection with a rejected certificate, which depends on the system version.
  public var certificateRejection: NWError {
    get { lock.withLock { values.certificateRejection } }
    set { lock.withLock { values.certificateRejection = newValue } }
  }

  /// Whether the last connection may resume an earlier session.
  public var isResumptionEnabled: Bool { lock.withLock { values.isResumptionEnabled } }

  /// The certificates that the last evaluation trusted, or nil for the system's certificates.
  public var anchors: [[UInt8]]? { lock.withLock { values.anchors } }
  /// Whether the last evaluation trusted only `anchors`.
  public var trustsOnlyAnchors: Bool { lock.withLock { values.trustsOnlyAnchors } }
  /// The minimum TLS version of the last connection.
  public var minTLSVersion: tls_protocol_version_t? { lock.withLock { values.minTLSVersion } }

  private struct Listening {
    weak var listener: NWListener?
  }
  private var listeners: [UInt16: Listening] = [:]

  func record(_ listener: NWListener, at port: UInt16) {
    lock.withLock { listeners[port] = Listening(listener: listener) }
  }

  /// Closes the socket of the listener at a port, as the system does when it suspends an app.
  public func takeListener(at port: Int) {
    lock.withLock { listeners[UInt16(port)]?.listener }?.fail()
  }

  func record(_ trust: SecTrust) {
    lock.withLock {
      values.anchors = trust.anchors
      values.trustsOnlyAnchors = trust.trustsOnlyAnchors
    }
  }

  func record(_ options: sec_protocol_options_t) {
    lock.withLock {
      values.minTLSVersion = options.minTLSVersion
      values.isResumptionEnabled = options.isResumptionEnabled
    }
  }
}
