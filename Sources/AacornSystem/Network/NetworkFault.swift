#if canImport(Network)
import Foundation
import Network

/// Why a connection of Apple's Network framework cannot be used.
package enum NetworkFault: Error, Equatable, Sendable {
  /// No address is known for the name.
  case unknownName
  /// No address of the server accepts connections, or none can be reached.
  case unreachable
  /// There is no network, at present.
  case noNetwork
  /// The user has not let the app use the local network.
  case localNetworkDenied
  /// Nothing came back in the time that the system allows.
  case silent
  /// The server's certificate does not pass the checks.
  case certificate(CertificateFault)
  /// The file of certificates to trust cannot be read, or holds none.
  case certificateFile
  /// No encryption could be agreed on.
  case noEncryption
  /// A proxy other than the system's was asked for.
  case foreignProxy
  /// The other end has closed.
  case closed
  /// Any other end.
  case broken
  /// The system has no descriptors left to wait with.
  case noResources
}

extension NetworkFault {
  /// What an error of the framework means, with what the check of the certificate has found.
  init(_ error: NWError, _ certificate: CertificateFault?) {
    // What the framework makes of a refused certificate differs by version.
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

/// What is wrong with a server's certificate.
package enum CertificateFault: Equatable, Sendable {
  /// Its time is over.
  case expired
  /// Its time has not begun.
  case notYetValid
  /// It is for another name.
  case wrongName
  /// Nobody whom this system trusts has signed it.
  case unknownAuthority
  /// Something else, with the words of the system for it, which may be empty.
  case other(String)
}
