// swift-format-ignore-file
// A stub of Apple's Network for Scripts/check-apple: only the declarations that this package uses,
// as Swift imports them. It is for type checking on other systems and cannot be linked or run.

public import Dispatch
public import Foundation
public import Security

extension NWEndpoint.Host {
  public init(_ string: String) { fatalError() }
}

// The overlay's NWConnection.swift, macOS 10.14, iOS 12, tvOS 12, watchOS 6.
public final class NWConnection: @unchecked Sendable {
  public enum SendCompletion {
    case contentProcessed(@Sendable (_ error: NWError?) -> Void)
    case idempotent
  }

  public init(host: NWEndpoint.Host, port: NWEndpoint.Port, using: NWParameters) { fatalError() }
  public var stateUpdateHandler: (@Sendable (_ state: NWConnection.State) -> Void)?
  public var currentPath: NWPath? { fatalError() }
  public var endpoint: NWEndpoint { fatalError() }
  public func start(queue: DispatchQueue) { fatalError() }
  public func cancel() { fatalError() }
  public func forceCancel() { fatalError() }
  public func send(
    content: Data?, contentContext: ContentContext = .defaultMessage, isComplete: Bool = true,
    completion: SendCompletion
  ) { fatalError() }
  public func receive(
    minimumIncompleteLength: Int, maximumLength: Int,
    completion: @escaping @Sendable (
      _ content: Data?, _ contentContext: ContentContext?, _ isComplete: Bool, _ error: NWError?
    ) -> Void
  ) { fatalError() }
}

// The overlay's NWListener.swift, macOS 10.14, iOS 12, tvOS 12, watchOS 6.
public final class NWListener: @unchecked Sendable {
  public init(using: NWParameters, on: NWEndpoint.Port = .any) throws { fatalError() }
  public var stateUpdateHandler: (@Sendable (_ newState: NWListener.State) -> Void)?
  public var newConnectionHandler: (@Sendable (_ connection: NWConnection) -> Void)?
  public var newConnectionLimit: Int
  public var port: NWEndpoint.Port? { fatalError() }
  public func start(queue: DispatchQueue) { fatalError() }
  public func cancel() { fatalError() }
}

// The overlay's NWError.swift, macOS 10.14, iOS 12, tvOS 12, watchOS 6.
public enum NWError: Error {
  case posix(POSIXErrorCode)
  case dns(Int32)
  case tls(Int32)
  // iOS 26. Without the availability attribute, since a case with a value cannot have one.
  case wifiAware(Int32)
}

// The overlay's NWEndpoint.swift, macOS 10.14, iOS 12, tvOS 12, watchOS 6.
public enum NWEndpoint: Sendable {
  public enum Host: Sendable {
    case name(String, NWInterface?)
    case ipv4(IPv4Address)
    case ipv6(IPv6Address)
  }
  public struct Port: Sendable {
    public static let any = Port(rawValue: 0)!
    public let rawValue: UInt16
    public init?(rawValue: UInt16) { self.rawValue = rawValue }
  }
  case hostPort(host: NWEndpoint.Host, port: NWEndpoint.Port)
  case service(name: String, type: String, domain: String, interface: NWInterface?)
  case unix(path: String)
}

// The overlay's NWEndpoint.swift, macOS 10.14, iOS 12, tvOS 12, watchOS 6.
public struct IPv4Address: Sendable {
  public let rawValue: Data
}

public struct IPv6Address: Sendable {
  public let rawValue: Data
}

// The overlay's NWInterface.swift, macOS 10.14, iOS 12, tvOS 12, watchOS 6.
public struct NWInterface: Hashable, Sendable {}

// The overlay's NWPath.swift, macOS 10.14, iOS 12, tvOS 12, watchOS 6.
public struct NWPath: Sendable {
  // macOS 11.0, iOS 14.2, tvOS 14.2, watchOS 7.1.
  public enum UnsatisfiedReason: Sendable {
    case notAvailable
    case localNetworkDenied
  }
  public let unsatisfiedReason: UnsatisfiedReason
  public let remoteEndpoint: NWEndpoint?
}

// The overlay's NWProtocol.swift, macOS 10.14, iOS 12, tvOS 12, watchOS 6.
public class NWProtocolOptions: @unchecked Sendable {
  init() {}
}

// The overlay's NWProtocolTCP.swift, macOS 10.14, iOS 12, tvOS 12, watchOS 6.
public class NWProtocolTCP {
  public class Options: NWProtocolOptions, @unchecked Sendable {
    public override init() {}
    public var noDelay: Bool = false
    public var connectionDropTime: Int = 0
    public var enableKeepalive: Bool = false
    public var keepaliveIdle: Int = 0
    public var keepaliveInterval: Int = 0
    public var keepaliveCount: Int = 0
    public var persistTimeout: Int = 0
  }
}

// The overlay's NWProtocolTLS.swift, macOS 10.14, iOS 12, tvOS 12, watchOS 6.
public class NWProtocolTLS {
  public class Options: NWProtocolOptions, @unchecked Sendable {
    public override init() {}
    public let securityProtocolOptions: sec_protocol_options_t = sec_protocol_options_t()
  }
}

// The overlay's NWParameters.swift, macOS 10.14, iOS 12, tvOS 12, watchOS 6.
public final class NWParameters: @unchecked Sendable {
  // Unchecked as in the framework; changed only before a connection uses the parameters.

  let tls: NWProtocolTLS.Options?
  public var preferNoProxies: Bool = false
  public var allowLocalEndpointReuse: Bool = false
  public var requiredLocalEndpoint: NWEndpoint?

  public init(tls: NWProtocolTLS.Options?, tcp: NWProtocolTCP.Options = NWProtocolTCP.Options()) {
    self.tls = tls
  }
}

// The overlay's NWConnection.swift, macOS 10.14, iOS 12, tvOS 12, watchOS 6.
extension NWConnection {
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
}

// The overlay's NWListener.swift, macOS 10.14, iOS 12, tvOS 12, watchOS 6.
extension NWListener {
  public enum State: Sendable {
    case setup
    case waiting(NWError)
    case ready
    case failed(NWError)
    case cancelled
  }
}
