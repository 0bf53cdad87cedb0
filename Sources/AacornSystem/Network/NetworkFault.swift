#if canImport(Network)
import Foundation
import Network
#endif

/// The reason why a connection of Apple's Network framework is unusable.
package enum NetworkFault: Error, Equatable, Sendable {
  /// The name has no known address.
  case unknownName
  /// No address of the server accepts connections, or no address can be reached.
  case unreachable
  /// There is no network at present.
  case noNetwork
  /// The user has denied the app access to the local network.
  case localNetworkDenied
  /// The server did not respond within the system's timeout.
  case silent
  /// The server's certificate failed a check.
  case certificate(CertificateFault)
  /// The file of trusted certificates is unreadable, or contains no certificates.
  case certificateFile
  /// The two ends could not agree on an encryption.
  case noEncryption
  /// The caller requested a proxy other than the system's proxy.
  case foreignProxy
  /// The peer has closed the connection.
  case closed
  /// The connection ended for any other reason.
  case broken
  /// The system has no more file descriptors.
  case noResources
}

extension NetworkFault {
  /// Whether to wait for the end of this fault: the user may be reading the permission prompt, or the
  /// radio may be waking up.
  ///
  /// In other cases the framework would wait for another network, while our callers retry anyway.
  package var isAwaited: Bool { self == .localNetworkDenied || self == .noNetwork }
}

#if canImport(Network)
extension NetworkFault {
  /// Converts an error of the framework, using the result of the certificate check.
  init(_ error: NWError, _ certificate: CertificateFault?) {
    // The framework's error for a rejected certificate differs between versions.
    if let certificate {
      self = .certificate(certificate)
      return
    }
    switch error {
    case .dns(let code):
      // kDNSServiceErr_PolicyDenied and kDNSServiceErr_Timeout of dns_sd.h.
      switch code {
      case -65570: self = .localNetworkDenied
      case -65568: self = .silent
      default: self = .unknownName
      }
    case .tls: self = .noEncryption
    case .posix(let code):
      switch code {
      case .ECONNREFUSED, .EHOSTUNREACH, .ENETUNREACH, .EHOSTDOWN, .EADDRNOTAVAIL:
        self = .unreachable
      case .ENETDOWN: self = .noNetwork
      case .ETIMEDOUT: self = .silent
      default: self = .broken
      }
    default: self = .broken
    }
  }
}
#endif

/// The reason why a server's certificate is not accepted.
package enum CertificateFault: Equatable, Sendable {
  /// The certificate has expired.
  case expired
  /// The certificate is not valid yet.
  case notYetValid
  /// The certificate is for another name.
  case wrongName
  /// The certificate is not signed by an authority that this system trusts.
  case unknownAuthority
  /// Another reason, with the system's text, which may be empty.
  case other(String)
}
