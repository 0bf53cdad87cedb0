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
