// swift-format-ignore-file
// A stub of Apple's Security for Scripts/check-apple: only the declarations that this package uses,
// as Swift imports them. It is for type checking on other systems and cannot be linked or run.

public import CoreFoundation
public import Dispatch

// SecBase.h, macOS 10.0, iOS 2.
public final class SecCertificate {}

// SecCertificate.h, macOS 10.3, iOS 2.
public func SecCertificateCreateWithData(
  _ allocator: CFAllocator?, _ data: CFData
) -> SecCertificate? { fatalError() }

// SecTrust.h, macOS 10.3, iOS 2.
public final class SecTrust {}
public func SecTrustSetAnchorCertificates(
  _ trust: SecTrust, _ anchorCertificates: CFArray?
) -> OSStatus { fatalError() }
public func SecTrustSetAnchorCertificatesOnly(
  _ trust: SecTrust, _ anchorCertificatesOnly: Bool
) -> OSStatus { fatalError() }
// macOS 10.14, iOS 12, tvOS 12, watchOS 5.
public func SecTrustEvaluateWithError(
  _ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?
) -> Bool { fatalError() }

// SecProtocolTypes.h, macOS 10.14, iOS 12, tvOS 12, watchOS 5.
public final class sec_protocol_options_t {
  package init() {}
}
public final class sec_protocol_metadata_t {}
public final class sec_trust_t {}
public func sec_trust_copy_ref(_ trust: sec_trust_t) -> Unmanaged<SecTrust> { fatalError() }

// SecProtocolOptions.h, macOS 10.15, iOS 13, tvOS 13, watchOS 6; the block macOS 10.14, iOS 12.
public func sec_protocol_options_set_min_tls_protocol_version(
  _ options: sec_protocol_options_t, _ version: tls_protocol_version_t
) { fatalError() }
public func sec_protocol_options_set_tls_resumption_enabled(
  _ options: sec_protocol_options_t, _ resumption_enabled: Bool
) { fatalError() }
public func sec_protocol_options_set_verify_block(
  _ options: sec_protocol_options_t, _ verify_block: @escaping sec_protocol_verify_t,
  _ verify_block_queue: DispatchQueue
) { fatalError() }

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
