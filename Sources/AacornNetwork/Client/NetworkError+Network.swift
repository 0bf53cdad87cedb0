#if canImport(Network)
import AacornSystem
/// Errors of connections through Apple's Network framework.
extension NetworkError {
  /// Creates the error for a failed connection.
  init(_ fault: NetworkFault, at endpoint: NetworkEndpoint, within time: Duration) {
    let server = endpoint.description
    self =
      switch fault {
      case .unknownName: .unknownName(endpoint)
      case .unreachable:
        NetworkError(
          .unreachable,
          "Nothing accepts connections at \(server). Check the address and the port, and whether "
            + "the server is running.")
      case .noNetwork:
        NetworkError(
          .unreachable, "\(server) cannot be reached without a network. Check the connection.")
      case .localNetworkDenied:
        NetworkError(
          .unreachable,
          "This app may not connect to \(server), which is in the local network. Allow it in the "
            + "system's settings: Privacy, Local Network.")
      case .silent: .noAnswer(server, time)
      case .certificate(let fault): .certificate(of: endpoint, fault)
      case .certificateFile: .certificateFile(endpoint.certificateFile ?? "")
      case .noEncryption: .noEncryption(server, "")
      case .foreignProxy:
        NetworkError(
          .unsupported,
          "On Apple's systems only the proxy of the system's settings can be used. Omit the proxy, "
            + "or set it there.")
      case .closed: .closed(server)
      case .broken: .broken(server)
      case .noResources:
        NetworkError(
          .serverFault,
          "The system has no descriptors left for a connection to \(server). Close other programs.")
      }
    self.fault = .connecting(fault.reason)
  }
}

extension NetworkFault {
  /// A short reason, to complete a message about the server.
  fileprivate var reason: String {
    switch self {
    case .unknownName: "its host name cannot be resolved"
    case .unreachable: "nothing accepts connections there"
    case .noNetwork: "there is no network"
    case .localNetworkDenied: "this app may not use the local network"
    case .silent: "it does not answer"
    case .certificate(.expired): "its certificate has expired"
    case .certificate(.notYetValid): "its certificate is not valid yet"
    case .certificate(.wrongName): "its certificate is for another name"
    case .certificate(.unknownAuthority): "no trusted authority has signed its certificate"
    case .certificate(.other): "its certificate does not pass the checks"
    case .certificateFile: "the certificate file cannot be read"
    case .noEncryption: "the TLS handshake failed"
    case .foreignProxy, .closed, .broken: "the connection broke"
    case .noResources: "the system has no descriptors left"
    }
  }
}
#endif
