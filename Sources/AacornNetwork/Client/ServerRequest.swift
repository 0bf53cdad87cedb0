/// Builds requests to servers.
package enum ServerRequest {
  /// Returns the head of a request (RFC 9112, 3 and 5), with the credentials of HTTP basic
  /// authentication (RFC 7617, 2), if any, and more header lines.
  package static func head(
    _ requestLine: String, host: String, credentials: String? = nil, userAgent: String,
    _ headers: [String]
  ) -> [UInt8] {
    var lines = [requestLine, "Host: \(SanitizedLine.of(host))"]
    if let credentials { lines.append("Authorization: Basic \(credentials)") }
    lines.append("User-Agent: \(SanitizedLine.of(userAgent))")
    return Array(((lines + headers).joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }
}
