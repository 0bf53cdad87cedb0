import AacornSystem

/// Errors of a connection to a server, for all protocols.
extension NetworkError {
  static func stopped(_ server: String) -> NetworkError {
    NetworkError(.closed, "The connection to \(server) was closed as requested.", .stopped)
  }

  static func closed(_ server: String) -> NetworkError {
    NetworkError(
      .closed,
      "\(server) closed the connection. It may have restarted or ended the stream.", .closed)
  }

  static func broken(_ server: String) -> NetworkError {
    NetworkError(
      .closed,
      "The connection to \(server) broke. Check whether the server and the network are up.",
      .broken)
  }

  static func stalled(_ server: String, _ time: Duration) -> NetworkError {
    NetworkError(
      .timeout,
      "\(server) has accepted nothing for \(seconds(time)). Check whether the server is "
        + "running and the network is fast enough for the bitrate.", .stalled)
  }

  static func noAnswer(_ server: String, _ time: Duration) -> NetworkError {
    NetworkError(
      .timeout,
      "\(server) did not answer within \(seconds(time)). Check the address and the port, "
        + "and whether a firewall is in the way.", .silent)
  }

  // MARK: Connecting

  static func noAddress(_ endpoint: NetworkEndpoint) -> NetworkError {
    NetworkError(
      .unsupported,
      "“\(endpoint.description)” is not an address. Write a host name, a colon and a port from "
        + "1 to 65535.")
  }

  static func unknownName(_ endpoint: NetworkEndpoint) -> NetworkError {
    NetworkError(
      .unreachable,
      "The host name “\(endpoint.host)” cannot be resolved. Check the spelling and the network.")
  }

  static func noEncryption(_ server: String, _ words: String) -> NetworkError {
    NetworkError(
      .closed,
      "The TLS handshake with \(server) failed\(inBrackets(words)). Check whether this port is for "
        + "encrypted connections.")
  }

  static func certificateFile(_ file: String) -> NetworkError {
    NetworkError(
      .certificate, "The certificate file “\(file)” cannot be read. Choose a file in PEM format.")
  }

  static func certificate(
    of endpoint: NetworkEndpoint, _ fault: CertificateFault
  ) -> NetworkError {
    let finding =
      switch fault {
      case .expired:
        "it has expired. Ask the server's administrator, or check the clock of this computer."
      case .notYetValid: "it is not valid yet. Check the clock of this computer."
      case .wrongName:
        "it was issued for a name other than “\(endpoint.host)”. Use the name that it was issued "
          + "for."
      case .unknownAuthority:
        "no trusted authority has signed it. If you trust the server, give its issuer's "
          + "certificate."
      case .other(let words): "it does not pass the checks\(inBrackets(words))."
      }
    return NetworkError(
      .certificate, "The certificate of \(endpoint.description) is not trusted: \(finding)")
  }

  private static func inBrackets(_ words: String) -> String {
    words.isEmpty ? "" : " (\(words))"
  }

  private static func seconds(_ time: Duration) -> String {
    let milliseconds = time.millisecondsToWait
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
  }
}
