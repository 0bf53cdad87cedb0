#if canImport(Network)
import CoreFoundation
import Dispatch
import Foundation
import Network
import Security

/// The encryption of a connection, and its trusted authorities.
package enum NetworkSecurity: Sendable {
  /// No encryption.
  case none
  /// TLS 1.2 or newer.
  ///
  /// The authorities in a PEM file replace the system's authorities.
  case tls(certificateFile: String?)

  /// Creates the framework's options.
  ///
  /// `report` receives the fault of each checked certificate, or nil.
  func options(
    on queue: DispatchQueue, report: @escaping @Sendable (CertificateFault?) -> Void
  ) throws(NetworkFault) -> NWProtocolTLS.Options? {
    guard case .tls(let file) = self else { return nil }
    let authorities = try file.map(Self.certificates)
    let tls = NWProtocolTLS.Options()
    sec_protocol_options_set_min_tls_protocol_version(tls.securityProtocolOptions, .TLSv12)
    // A resumed session presents no certificate to check against these authorities.
    if authorities != nil {
      sec_protocol_options_set_tls_resumption_enabled(tls.securityProtocolOptions, false)
    }
    sec_protocol_options_set_verify_block(
      tls.securityProtocolOptions,
      { _, reference, complete in
        let trust = unsafe sec_trust_copy_ref(reference).takeRetainedValue()
        let fault = Self.check(trust, authorities)
        report(fault)
        complete(fault == nil)
      }, queue)
    return tls
  }

  /// Checks a server's certificate by the system's policy, which includes the server's name.
  private static func check(_ trust: SecTrust, _ authorities: [[UInt8]]?) -> CertificateFault? {
    if let authorities {
      let anchors = unsafe withUnsafePointer(to: kCFTypeArrayCallBacks) {
        unsafe CFArrayCreateMutable(nil, 0, $0)
      }
      for bytes in authorities {
        guard let data = unsafe CFDataCreate(nil, bytes, bytes.count),
          let certificate = SecCertificateCreateWithData(nil, data)
        else { return .other("one of the given authorities is not a certificate") }
        unsafe CFArrayAppendValue(anchors, Unmanaged.passUnretained(certificate).toOpaque())
      }
      guard let anchors, SecTrustSetAnchorCertificates(trust, anchors) == errSecSuccess else {
        return .other("the given authorities cannot be used")
      }
      _ = SecTrustSetAnchorCertificatesOnly(trust, true)
    }
    var error: CFError?
    if unsafe SecTrustEvaluateWithError(trust, &error) { return nil }
    return CertificateFault(code: error.map { CFErrorGetCode($0) } ?? 0)
  }

  /// Reads the certificates of a PEM file (RFC 7468, 5).
  private static func certificates(in file: String) throws(NetworkFault) -> [[UInt8]] {
    guard let bytes = try? contents(of: file) else { throw .certificateFile }
    var certificates: [[UInt8]] = []
    var lines: String?
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      switch line {
      case "-----BEGIN CERTIFICATE-----": lines = ""
      case "-----END CERTIFICATE-----":
        guard let text = lines, let data = Data(base64Encoded: text) else {
          throw .certificateFile
        }
        certificates.append([UInt8](data))
        lines = nil
      default: lines? += line
      }
    }
    if certificates.isEmpty { throw .certificateFile }
    return certificates
  }

  private static func contents(of file: String) throws(SystemError) -> [UInt8] {
    let descriptor = try System.open(file, for: .reading)
    defer { try? System.close(descriptor) }
    return try System.contents(of: descriptor, limit: largestFile)
  }

  /// The maximum size in bytes of a PEM file, larger than the list of all authorities of a system.
  private static let largestFile = 4_000_000
}

extension CertificateFault {
  /// Converts a code of Security's SecBase.h.
  fileprivate init(code: Int) {
    switch Int32(truncatingIfNeeded: code) {
    case errSecCertificateExpired: self = .expired
    case errSecCertificateNotValidYet: self = .notYetValid
    case errSecHostNameMismatch: self = .wrongName
    case errSecNotTrusted, errSecCreateChainFailed: self = .unknownAuthority
    case errSecCertificateValidityPeriodTooLong:
      self = .other("it is valid for longer than this system allows")
    default: self = .other(code == 0 ? "" : "error \(code)")
    }
  }
}
#endif
