public import Foundation
public import Security

/// The faults that a test sets in the simulated network, and the options that it observed.
@dynamicMemberLookup
public final class SimulatedNetwork: @unchecked Sendable {
  // Unchecked because of `values` and `listeners`, which are used only under the lock.

  /// The network of this process.
  ///
  /// Tests that change it must not run in parallel.
  public static let shared = SimulatedNetwork()

  /// The faults and the observations, which are also properties of the network.
  public struct Values {
    /// Whether the user has denied the app access to the local network.
    public var isLocalNetworkDenied = false
    /// Whether the server does not support TLS.
    public var isEncryptionRefused = false
    /// The error code of the server's certificate, or nil if the certificate is valid.
    public var certificateFault: Int?
    /// The error of a connection with a rejected certificate, which depends on the system version.
    public var certificateRejection = NWError.tls(-9808)
    /// The error of every send operation, or nil to use the result of the sockets.
    public var sendFault: POSIXErrorCode?
    /// The certificates that the last evaluation trusted, or nil for the system's certificates.
    public fileprivate(set) var anchors: [[UInt8]]?
    /// Whether the last evaluation trusted only `anchors`.
    public fileprivate(set) var trustsOnlyAnchors = false
    /// The minimum TLS version of the last connection.
    public fileprivate(set) var minTLSVersion: tls_protocol_version_t?
    /// Whether the last connection may resume an earlier session.
    public fileprivate(set) var isResumptionEnabled = true
  }
  private let lock = NSLock()
  private var values = Values()

  /// Resets all faults and observations.
  public func reset() { lock.withLock { values = Values() } }

  /// Accesses an observation.
  public subscript<Value>(dynamicMember path: KeyPath<Values, Value>) -> Value {
    lock.withLock { values[keyPath: path] }
  }

  /// Accesses a fault.
  public subscript<Value>(dynamicMember path: WritableKeyPath<Values, Value>) -> Value {
    get { lock.withLock { values[keyPath: path] } }
    set { lock.withLock { values[keyPath: path] = newValue } }
  }

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
