// swift-format-ignore-file
// The names are Apple's, and documented there.

public import Foundation
public import Security

public enum NWError: Error {
  case posix(POSIXErrorCode)
  case dns(Int32)
  case tls(Int32)
  case wifiAware(Int32)
}

public enum NWEndpoint: Sendable {
  public struct Host: Sendable {
    let name: String
    public init(_ string: String) { name = string }
  }
  public struct Port: Sendable {
    let rawValue: UInt16
    public init?(rawValue: UInt16) { self.rawValue = rawValue }
  }
}

public struct NWPath: Sendable {
  public enum UnsatisfiedReason: Sendable {
    case notAvailable
    case cellularDenied
    case wifiDenied
    case localNetworkDenied
    case vpnInactive
  }
  public let unsatisfiedReason: UnsatisfiedReason
}

open class NWProtocolOptions {}

public class NWProtocolTCP {
  public class Options: NWProtocolOptions {
    public override init() {}
    public var noDelay = false
    public var connectionDropTime = 0
    public var enableKeepalive = false
    public var keepaliveIdle = 0
    public var keepaliveInterval = 0
    public var persistTimeout = 0
  }
}

public class NWProtocolTLS {
  public class Options: NWProtocolOptions {
    public override init() {}
    public let securityProtocolOptions = sec_protocol_options_t()
  }
}

public final class NWParameters: @unchecked Sendable {
  // Unchecked as the framework's is; changed only before a connection is made of it.

  let tls: NWProtocolTLS.Options?
  public var preferNoProxies = false

  public init(tls: NWProtocolTLS.Options?, tcp: NWProtocolTCP.Options = NWProtocolTCP.Options()) {
    self.tls = tls
  }
}
