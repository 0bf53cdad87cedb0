// swift-format-ignore-file
// Apple documents these declarations.

// Certificates whose evaluation ends as the test specifies.

public import CoreFoundation
public import Dispatch

public final class SecCertificate {
  package let bytes: [UInt8]
  init(_ bytes: [UInt8]) { self.bytes = bytes }
}

/// Accepts any DER sequence (X.690, 8.9) as a certificate, without parsing it.
public func SecCertificateCreateWithData(
  _ allocator: CFAllocator?, _ data: CFData
) -> SecCertificate? { data.bytes.first == 0x30 ? SecCertificate(data.bytes) : nil }

public final class SecTrust {
  /// The error code of the evaluation, or nil for success.
  let fault: Int?
  /// The certificates that the code under test trusts.
  package private(set) var anchors: [[UInt8]]?
  package private(set) var trustsOnlyAnchors = false

  init(fault: Int?) { self.fault = fault }

  fileprivate func setAnchors(_ certificates: CFArray?) {
    anchors = certificates?.values.compactMap { ($0 as? SecCertificate)?.bytes }
  }
  fileprivate func setAnchorsOnly(_ isSo: Bool) { trustsOnlyAnchors = isSo }
}

public func SecTrustSetAnchorCertificates(
  _ trust: SecTrust, _ anchorCertificates: CFArray?
) -> OSStatus {
  trust.setAnchors(anchorCertificates)
  return errSecSuccess
}

public func SecTrustSetAnchorCertificatesOnly(
  _ trust: SecTrust, _ anchorCertificatesOnly: Bool
) -> OSStatus {
  trust.setAnchorsOnly(anchorCertificatesOnly)
  return errSecSuccess
}

public func SecTrustEvaluateWithError(
  _ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?
) -> Bool {
  guard let fault = trust.fault else { return true }
  error?.pointee = CFError(code: fault)
  return false
}

public final class sec_protocol_metadata_t {
  package init() {}
}

public final class sec_trust_t {
  let trust: SecTrust
  /// Creates the trust of a server whose certificate has this error code.
  package init(fault: Int?) { trust = SecTrust(fault: fault) }
  /// The trust after the evaluation.
  package var result: SecTrust { trust }
}

public func sec_trust_copy_ref(_ trust: sec_trust_t) -> Unmanaged<SecTrust> {
  Unmanaged.passRetained(trust.trust)
}

public final class sec_protocol_options_t {
  package fileprivate(set) var minTLSVersion: tls_protocol_version_t?
  package fileprivate(set) var verification: (block: sec_protocol_verify_t, queue: DispatchQueue)?
  package fileprivate(set) var isResumptionEnabled = true
  package init() {}
}

public func sec_protocol_options_set_tls_resumption_enabled(
  _ options: sec_protocol_options_t, _ resumption_enabled: Bool
) { options.isResumptionEnabled = resumption_enabled }

public func sec_protocol_options_set_min_tls_protocol_version(
  _ options: sec_protocol_options_t, _ version: tls_protocol_version_t
) { options.minTLSVersion = version }

public func sec_protocol_options_set_verify_block(
  _ options: sec_protocol_options_t, _ verify_block: @escaping sec_protocol_verify_t,
  _ verify_block_queue: DispatchQueue
) { options.verification = (verify_block, verify_block_queue) }
