// swift-format-ignore-file
// Apple documents these declarations.

public import Foundation
import Glibc
public import Security

// The overlay's NWError.swift, macOS 10.14, iOS 12, tvOS 12, watchOS 6.
public enum NWError: Error {
  case posix(POSIXErrorCode)
  case dns(Int32)
  case tls(Int32)
  // iOS 26.
  // Without an availability attribute: the compiler rejects it on a case with an associated value.
  case wifiAware(Int32)
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

// The overlay's NWEndpoint.swift, macOS 10.14, iOS 12, tvOS 12, watchOS 6.
public enum NWEndpoint: Sendable {
  public enum Host: Sendable {
    case name(String, NWInterface?)
    case ipv4(IPv4Address)
    case ipv6(IPv6Address)

    public init(_ string: String) {
      var bytes = [UInt8](repeating: 0, count: 16)
      if inet_pton(AF_INET, string, &bytes) == 1 {
        self = .ipv4(IPv4Address(rawValue: Data(bytes[..<4])))
      } else if inet_pton(AF_INET6, string, &bytes) == 1 {
        self = .ipv6(IPv6Address(rawValue: Data(bytes)))
      } else {
        self = .name(string, nil)
      }
    }

    /// The name, or the numeric address.
    var text: String {
      switch self {
      case .name(let name, _): name
      case .ipv4(let address): Self.text(AF_INET, address.rawValue)
      case .ipv6(let address): Self.text(AF_INET6, address.rawValue)
      }
    }

    private static func text(_ family: Int32, _ bytes: Data) -> String {
      var text = [CChar](repeating: 0, count: 64)
      inet_ntop(family, [UInt8](bytes), &text, 64)
      return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    }
  }

  public struct Port: Sendable {
    public static let any = Port(rawValue: 0)!
    public let rawValue: UInt16
    public init?(rawValue: UInt16) { self.rawValue = rawValue }
  }

  case hostPort(host: NWEndpoint.Host, port: NWEndpoint.Port)
  case service(name: String, type: String, domain: String, interface: NWInterface?)
  case unix(path: String)

  /// Converts an address of the system.
  ///
  /// An IPv4 address mapped to IPv6 becomes an IPv4 address.
  init(_ address: sockaddr_storage) {
    let (bytes, port) = withUnsafeBytes(of: address) { memory in
      let port = UInt16(bigEndian: memory.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
      let isOld = Int32(address.ss_family) == AF_INET
      return (isOld ? Data(memory[4..<8]) : Data(memory[8..<24]), port)
    }
    let mapping = [UInt8](repeating: 0, count: 10) + [255, 255]
    let host: Host =
      if bytes.count == 4 {
        .ipv4(IPv4Address(rawValue: bytes))
      } else if bytes.starts(with: mapping) {
        .ipv4(IPv4Address(rawValue: Data(bytes[12...])))
      } else {
        .ipv6(IPv6Address(rawValue: bytes))
      }
    self = .hostPort(host: host, port: Port(rawValue: port)!)
  }
}

// The overlay's NWPath.swift, macOS 10.14, iOS 12, tvOS 12, watchOS 6.
public struct NWPath: Sendable {
  // macOS 11.0, iOS 14.2, tvOS 14.2, watchOS 7.1.
  public enum UnsatisfiedReason: Sendable {
    case notAvailable
    case cellularDenied
    case wifiDenied
    case localNetworkDenied
    case vpnInactive
  }
  public let unsatisfiedReason: UnsatisfiedReason
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
