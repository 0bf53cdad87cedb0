import AacornSystem
import AacornWeb
import CAacornCurl

/// Errors between here and a server, whatever the protocol.
extension NetworkError {
  static func libraryMissing(_ reason: String) -> NetworkError {
    #if canImport(Darwin)
    NetworkError(
      .libraryMissing,
      "On Apple's systems Aacorn cannot connect to servers yet: record into a file instead.")
    #else
    NetworkError(
      .libraryMissing,
      "The system library libcurl, which makes connections, cannot be used: \(reason). "
        + "Install the package libcurl4.")
    #endif
  }

  static func stopped(_ place: String) -> NetworkError {
    NetworkError(.closed, "The connection to \(place) was closed as requested.")
  }

  static func closed(_ place: String) -> NetworkError {
    NetworkError(
      .closed,
      "\(place) closed the connection. It may have restarted or ended the stream.")
  }

  static func broken(_ place: String) -> NetworkError {
    NetworkError(
      .closed, "The connection to \(place) broke. Check whether the server and the network are up.")
  }

  static func stalled(_ place: String, _ time: Duration) -> NetworkError {
    NetworkError(
      .timeout,
      "\(place) has accepted nothing for \(seconds(time)). Check whether the server is "
        + "running and the network is fast enough for the bitrate.")
  }

  static func noAnswer(_ place: String, _ time: Duration) -> NetworkError {
    NetworkError(
      .timeout,
      "\(place) did not answer within \(seconds(time)). Check the address and the port, "
        + "and whether a firewall is in the way.")
  }

  static func flooding(_ name: String) -> NetworkError {
    NetworkError(
      .malformed,
      "“\(name)” keeps sending data: more than \(TalkAllowance.burst / 1000) kB that no publisher "
        + "needs. The connection was closed; check what is running there.")
  }

  // MARK: What kept a server from accepting audio up to the end

  static func unreached(_ name: String) -> NetworkError {
    NetworkError(
      .unreachable,
      "“\(name)” was not reached before the end. Check the address and the port, and the network.")
  }

  static func unanswered(_ name: String) -> NetworkError {
    NetworkError(
      .timeout,
      "“\(name)” accepted the connection but did not answer before the end. Check the port, and "
        + "whether the server is working.")
  }

  static func untaken(_ name: String) -> NetworkError {
    NetworkError(
      .timeout,
      "“\(name)” accepted the stream but none of its audio before the end. Check whether the "
        + "server is working and the network is fast enough for the bitrate.")
  }

  // MARK: libcurl errors

  /// Why libcurl could not connect, from its result and its message.
  static func connecting(
    to endpoint: NetworkEndpoint, _ time: Duration, _ result: Int, _ connection: OpaquePointer
  ) -> NetworkError {
    let place = endpoint.description
    let words = unsafe String(cString: aacorn_curl_words(connection))
    let answer = unsafe aacorn_curl_proxy_answer(connection)
    if answer >= 300 { return refusedByProxy(place, answer) }
    switch result {
    case AACORN_CURL_COULDNT_RESOLVE_HOST:
      return NetworkError(
        .unreachable,
        "No address is known for “\(endpoint.host)”. Check the spelling and the network.")
    case AACORN_CURL_COULDNT_RESOLVE_PROXY:
      return NetworkError(
        .unreachable,
        "No address is known for the proxy on the way to \(place). Check the proxy's name.")
    case AACORN_CURL_PROXY_HANDSHAKE:
      return NetworkError(
        .unreachable,
        "The proxy on the way to \(place) does not let the connection through. Check its settings.")
    case AACORN_CURL_COULDNT_CONNECT:
      return NetworkError(
        .unreachable,
        "Nothing accepts connections at \(place)"
          + (hasProxy(endpoint) ? ", or at the proxy on the way there" : "")
          + ". Check the address and the port, and whether the server is running"
          + (hasProxy(endpoint) ? "; check the proxy, too." : "."))
    case AACORN_CURL_OPERATION_TIMEDOUT:
      return noAnswer(place, time)
    case AACORN_CURL_PEER_FAILED_VERIFICATION:
      return certificate(of: endpoint, words)
    case AACORN_CURL_SSL_CACERT_BADFILE:
      guard let file = endpoint.certificateFile else {
        return NetworkError(
          .certificate,
          "This system has no certificates to check servers with. Install the package "
            + "ca-certificates, or give a file.")
      }
      return NetworkError(
        .certificate,
        "The certificate file “\(file)” cannot be read. Choose a file in PEM format.")
    case AACORN_CURL_UNSUPPORTED_PROTOCOL:
      return NetworkError(
        .unsupported, "The libcurl of this system cannot encrypt, which \(place) requires.")
    case AACORN_CURL_SSL_CONNECT_ERROR:
      return NetworkError(
        .closed,
        "No encryption could be agreed on with \(place)\(inBrackets(words)). Check whether this "
          + "port is the one for encrypted connections.")
    default:
      return broken(place)
    }
  }

  /// Whether a proxy is in use, by the endpoint or by the environment as libcurl reads it.
  static func hasProxy(
    _ endpoint: NetworkEndpoint, environment: (String) -> String? = System.environment
  ) -> Bool {
    if let proxy = endpoint.proxy { return !proxy.isEmpty }
    // `HTTP_PROXY` is not included: a web server's client can set that.
    let names = endpoint.isSecure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
    return (names + ["all_proxy", "ALL_PROXY"]).contains { environment($0)?.isEmpty == false }
  }

  /// A proxy's answer to CONNECT (RFC 9110 9.3.6).
  private static func refusedByProxy(_ place: String, _ answer: Int) -> NetworkError {
    if answer == 407 {
      return NetworkError(
        .unauthorized,
        "The proxy on the way to \(place) requires a name and a password, or different ones (HTTP "
          + "407).")
    }
    return NetworkError(
      .unreachable,
      "The proxy on the way to \(place) cannot or may not connect to it (HTTP \(answer)). Check "
        + "the address, and ask the proxy's administrator.")
  }

  /// libcurl's TLS libraries have their own words for the same errors.
  private static func certificate(of endpoint: NetworkEndpoint, _ words: String) -> NetworkError {
    let start = "The certificate of \(endpoint.description) is not trusted: "
    func says(_ parts: String...) -> Bool { parts.contains { words.contains($0) } }
    if says("expired") {
      return NetworkError(
        .certificate,
        start + "it has expired. Its owner has to renew it, unless the clock of this computer is "
          + "wrong.")
    }
    if says("not yet valid", "not activated") {
      return NetworkError(
        .certificate, start + "it is not valid yet. Check the clock of this computer.")
    }
    if says("subject name", "does not match", "host name", "hostname") {
      return NetworkError(
        .certificate,
        start + "it was issued for a name other than “\(endpoint.host)”. Use the name that it was "
          + "issued for.")
    }
    if says("issuer", "self-signed", "self signed", "unknown", "CAfile", "authority") {
      return NetworkError(
        .certificate,
        start + "no trusted authority has signed it. If it is the right one, give its issuer's "
          + "certificate.")
    }
    return NetworkError(.certificate, start + "it does not pass the checks\(inBrackets(words)).")
  }

  private static func inBrackets(_ words: String) -> String {
    words.isEmpty ? "" : " (\(words))"
  }

  private static func seconds(_ time: Duration) -> String {
    let milliseconds = time.millisecondsToWait
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
  }
}
