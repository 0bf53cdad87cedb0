#if !canImport(Network)
import AacornSystem
import CAacornCurl

/// Errors of connections through libcurl.
extension NetworkError {
  /// Returns the error for an unusable libcurl.
  ///
  /// `reason` is from the dynamic loader or from us.
  static func libraryMissing(_ reason: String) -> NetworkError {
    NetworkError(
      .libraryMissing,
      System.isMissing("libcurl.so.4", accordingTo: reason)
        ? "Connections need the library libcurl.so.4, which is not installed. On Debian it is in the "
          + "package libcurl4."
        : "The library libcurl.so.4 cannot be used (\(reason)). On Debian it is in the package "
          + "libcurl4.",
      .libraryMissing(reason))
  }

  /// Returns the error for libcurl's result and message.
  static func connecting(
    to endpoint: NetworkEndpoint, _ time: Duration, _ result: Int, _ connection: OpaquePointer
  ) -> NetworkError {
    let errorText = unsafe String(cString: aacorn_curl_error_text(connection))
    var error = unsafe connecting(to: endpoint, time, result, connection, errorText)
    error.fault = errorText.isEmpty ? .silent : .connecting(errorText)
    return error
  }

  private static func connecting(
    to endpoint: NetworkEndpoint, _ time: Duration, _ result: Int, _ connection: OpaquePointer,
    _ errorText: String
  ) -> NetworkError {
    let server = endpoint.description
    let answer = unsafe aacorn_curl_proxy_answer(connection)
    if answer >= 300 { return refusedByProxy(server, answer) }
    switch result {
    case AACORN_CURL_COULDNT_RESOLVE_HOST:
      return unknownName(endpoint)
    case AACORN_CURL_COULDNT_RESOLVE_PROXY:
      return NetworkError(
        .unreachable,
        "The host name of the proxy for \(server) cannot be resolved. Check the proxy's address.")
    case AACORN_CURL_PROXY_HANDSHAKE:
      return NetworkError(
        .unreachable,
        "The proxy for \(server) does not allow the connection. Check its settings.")
    case AACORN_CURL_COULDNT_CONNECT:
      return NetworkError(
        .unreachable,
        "Nothing accepts connections at \(server)"
          + (hasProxy(endpoint) ? ", or at the proxy" : "")
          + ". Check the address and the port, and whether the server is running"
          + (hasProxy(endpoint) ? "; check the proxy, too." : "."))
    case AACORN_CURL_OPERATION_TIMEDOUT:
      return noAnswer(server, time)
    case AACORN_CURL_PEER_FAILED_VERIFICATION:
      return certificate(of: endpoint, CertificateFault(errorText))
    case AACORN_CURL_SSL_CACERT_BADFILE:
      guard let file = endpoint.certificateFile else {
        return NetworkError(
          .certificate,
          "This system has no certificates to check servers with. Install the package "
            + "ca-certificates, or give a certificate file.")
      }
      return certificateFile(file)
    case AACORN_CURL_UNSUPPORTED_PROTOCOL:
      return NetworkError(
        .unsupported, "\(server) requires encryption, but the libcurl of this system has no TLS.")
    case AACORN_CURL_SSL_CONNECT_ERROR:
      return noEncryption(server, errorText)
    default:
      return broken(server)
    }
  }

  /// Returns whether a proxy is in use, by the endpoint or by the environment variables that
  /// libcurl reads.
  static func hasProxy(
    _ endpoint: NetworkEndpoint, environment: (String) -> String? = System.environment
  ) -> Bool {
    if let proxy = endpoint.proxy { return !proxy.isEmpty }
    // `HTTP_PROXY` is excluded, because a client of a web server can set it (CGI).
    let names = endpoint.isSecure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
    return (names + ["all_proxy", "ALL_PROXY"]).contains { environment($0)?.isEmpty == false }
  }

  /// Returns the error for a proxy's response to CONNECT (RFC 9110 9.3.6).
  private static func refusedByProxy(_ server: String, _ answer: Int) -> NetworkError {
    if answer == 407 {
      return NetworkError(
        .unauthorized,
        "The proxy for \(server) requires a user name and a password, or different ones (HTTP 407). "
          + "Give them in the proxy's address.")
    }
    return NetworkError(
      .unreachable,
      "The proxy for \(server) cannot connect to it, or does not allow it (HTTP \(answer)). Check "
        + "the address, and ask the proxy's administrator.")
  }
}

extension CertificateFault {
  /// Classifies a message of libcurl's TLS libraries, each of which has different texts for the
  /// same faults.
  fileprivate init(_ words: String) {
    func mentions(_ parts: String...) -> Bool { parts.contains { words.contains($0) } }
    if mentions("expired") {
      self = .expired
    } else if mentions("not yet valid", "not activated") {
      self = .notYetValid
    } else if mentions("subject name", "does not match", "host name", "hostname") {
      self = .wrongName
    } else if mentions("issuer", "self-signed", "self signed", "unknown", "CAfile", "authority") {
      self = .unknownAuthority
    } else {
      self = .other(words)
    }
  }
}
#endif
