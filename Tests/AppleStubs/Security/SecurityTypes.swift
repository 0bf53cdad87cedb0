// swift-format-ignore-file
// Declarations of Apple's Security that are the same in the stub and in Tests/SimulatedNetwork.

// SecBase.h, macOS 10.0, iOS 2.
public typealias OSStatus = Int32
public var errSecSuccess: OSStatus { 0 }
public var errSecCreateChainFailed: OSStatus { -25318 }
public var errSecHostNameMismatch: OSStatus { -67602 }
public var errSecCertificateExpired: OSStatus { -67818 }
public var errSecCertificateNotValidYet: OSStatus { -67819 }
public var errSecNotTrusted: OSStatus { -67843 }
public var errSecCertificateValidityPeriodTooLong: OSStatus { -67901 }

// SecProtocolTypes.h, macOS 10.14, iOS 12, tvOS 12, watchOS 5.
public enum tls_protocol_version_t: UInt16, Sendable {
  case TLSv12 = 0x0303
}

// SecProtocolOptions.h, macOS 10.14, iOS 12, tvOS 12, watchOS 5.
public typealias sec_protocol_verify_complete_t = (Bool) -> Void
public typealias sec_protocol_verify_t = (
  sec_protocol_metadata_t, sec_trust_t, @escaping sec_protocol_verify_complete_t
) -> Void
