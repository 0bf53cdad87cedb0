import AacornCodec
import AacornContainers
import AacornNetwork

/// The requests to an Icecast server, as bytes.
struct IcecastRequest {
  /// The request method of a source.
  enum Method: Equatable {
    /// The HTTP method, supported by servers since version 2.4.
    case put
    /// The method of older servers.
    case source
  }

  private let configuration: IcecastConfiguration

  init(_ configuration: IcecastConfiguration) { self.configuration = configuration }

  /// Returns the request that precedes the frames.
  ///
  /// The frames follow until the connection closes.
  ///
  /// The request has neither a length nor chunked encoding, because servers forward the bytes
  /// unchanged.
  func publish(_ method: Method, _ stream: LiveStream) -> [UInt8] {
    let mount = PercentCoding.encode(
      configuration.mount, keeping: IcecastConfiguration.pathMarks)
    // ADTS does not signal spectral band replication. Players expect it from the older name `aacp`.
    let isReplicated = stream.configuration.extensionSampleRate != nil
    var headers = ["Content-Type: audio/\(isReplicated ? "aacp" : "aac")"]
    // Requests a response before the first frame (RFC 9110, 10.1.1).
    if method == .put { headers.append("Expect: 100-continue") }
    headers.append("Ice-Public: \(configuration.isPublic ? 1 : 0)")
    let descriptions = [
      ("Ice-Name", configuration.name), ("Ice-Description", configuration.description),
      ("Ice-Genre", configuration.genre), ("Ice-URL", configuration.website),
    ]
    for case (let name, let text?) in descriptions {
      let line = SanitizedLine.of(text, limit: 1000)
      if !line.isEmpty { headers.append("\(name): \(line)") }
    }
    headers.append("Ice-Audio-Info: \(audioInfo(stream))")
    return head(method == .put ? "PUT \(mount) HTTP/1.1" : "SOURCE \(mount) ICE/1.0", headers)
  }

  /// Returns the request that changes the title.
  ///
  /// The request needs a separate connection.
  func update(_ metadata: LiveMetadata) -> [UInt8] {
    let mount = PercentCoding.encode(configuration.mount, keeping: "/")
    let song = PercentCoding.encode(SanitizedLine.of(metadata.line ?? "", limit: 1000))
    return head(
      "GET /admin/metadata?mode=updinfo&mount=\(mount)&charset=UTF-8&song=\(song) HTTP/1.1",
      ["Connection: close"])
  }

  private func head(_ requestLine: String, _ headers: [String]) -> [UInt8] {
    ServerRequest.head(
      requestLine, host: configuration.endpoint.withoutZone.description, credentials: credentials,
      userAgent: configuration.userAgent, headers)
  }

  /// User and password for HTTP basic authentication (RFC 7617, 2).
  var credentials: String {
    Base64.encode(Array("\(configuration.user):\(configuration.password)".utf8))
  }

  private func audioInfo(_ stream: LiveStream) -> String {
    var parts = ["ice-samplerate=\(stream.timing.sampleRate)"]
    let bitrate = stream.timing.nominalBitrate
    if bitrate > 0 { parts.append("ice-bitrate=\((bitrate + 500) / 1000)") }
    parts.append("ice-channels=\(stream.configuration.outputChannelCount)")
    return parts.joined(separator: ";")
  }
}

/// Errors of an Icecast server.
extension ServerRejection {
  /// Whether a server that responds with this status may support the other request method.
  var suggestsOtherMethod: Bool { [400, 404, 405, 411, 417, 501].contains(status) }

  /// Returns the error for a request to `address`.
  func icecastError(_ address: String) -> NetworkError {
    let explanation = explanation.lowercased()
    switch status {
    case 401:
      return NetworkError(
        .unauthorized,
        "\(address) does not accept the user name or the password. "
          + "Give the server's source password.")
    case 409,
      403 where explanation.contains("in use"):
      return NetworkError(
        .taken,
        "\(address) is in use: another client is publishing there, or the server has not yet "
          + "detected the end of the previous connection. Wait, or choose another mount.")
    case 403 where explanation.contains("too many"):
      return NetworkError(
        .serverFault,
        "The server of \(address) has reached its limit of sources\(quotation). Wait until one ends, "
          + "or raise the limit.")
    case 415,
      403 where explanation.contains("content"):
      return NetworkError(
        .unsupported,
        "\(address) does not accept AAC\(quotation). Allow the content type audio/aac there, and "
          + "audio/aacp for HE-AAC.")
    case 403:
      return NetworkError(
        .forbidden,
        "\(address) does not allow publishing\(quotation). Ask the server's administrator.")
    case 404:
      return NetworkError(
        .notFound,
        "\(address) does not exist\(quotation). Check the mount and the port. An Icecast server creates "
          + "mounts for authorized publishers, so this may be another server.")
    case 408:
      return NetworkError(
        .timeout,
        "\(address) waited too long for the request (status 408). Check whether the network is "
          + "fast enough.")
    case 400, 405, 411, 417, 501:
      return NetworkError(
        .unsupported,
        "\(address) does not accept the request (status \(status))\(quotation). Check whether this is "
          + "the port of an Icecast server.")
    default:
      return generalError(address)
        ?? NetworkError(
          .forbidden,
          "\(address) rejected the stream (status \(status))\(quotation). Ask the server's administrator."
        )
    }
  }
}
