import AacornCodec
import AacornContainers
public import AacornNetwork

/// The web server that an HLS presentation is uploaded to, with the credentials and limits of the
/// upload.
public struct HLSUploadConfiguration: Sendable, Equatable {
  /// The server.
  public var endpoint: NetworkEndpoint
  /// The folder on the server, percent-encoded as in requests.
  ///
  /// It begins and ends with a slash.
  ///
  /// If the query receives the file names (`…?file=`), the path may have any form.
  public var path: String
  /// The text after the question mark in every request, percent-encoded; never displayed.
  ///
  /// If its last parameter has no value, the file name is appended to the query, otherwise to the
  /// path.
  public var query: String?
  /// The user name; nil if the server requires none.
  public var user: String?
  /// The password; never displayed.
  public var password: String?
  /// Whether files that left the playlist long enough ago are removed from the server.
  public var removesOldFiles = false
  /// The program name sent to the server.
  public var userAgent = "Aacorn/\(AacornVersion.number)"
  /// The maximum wait for a response, and for progress while sending.
  public var answerTimeout: Duration = .seconds(10)
  /// The maximum time without a confirmation from the server while the remaining files and the
  /// final playlists are sent.
  public var drainTimeout: Duration = .seconds(15)
  /// The maximum total time for finishing the upload, however many files the server confirms.
  ///
  /// The time that the waiting files take at 64 kb/s is added to it.
  public var drainLimit: Duration = .seconds(300)
  /// The maximum number of bytes of segments that wait for the server.
  ///
  /// Segments that have left a live playlist do not wait.
  public var capacity = 64 << 20

  /// Creates an upload to a folder on a server.
  public init(endpoint: NetworkEndpoint, path: String) {
    self.endpoint = endpoint
    self.path = path
  }

  /// The address for display, without user, password and query.
  public var address: String {
    "\(endpoint.webScheme.rawValue)://\(SanitizedLine.of(endpoint.authority))\(path)"
  }

  /// Returns the request target of a file.
  func target(of name: String) -> String {
    guard let query else { return path + name }
    return Self.takesNames(query) ? "\(path)?\(query)\(name)" : "\(path)\(name)?\(query)"
  }

  /// Returns whether the last parameter has no value and therefore receives the file names:
  /// `file=`, but not `key=dGVzdA==`.
  private static func takesNames(_ query: String) -> Bool {
    let parameter = query[(query.lastIndex(of: "&") ?? query.startIndex)...]
    return parameter.hasSuffix("=") && parameter.count { $0 == "=" } == 1
  }

  /// User and password for HTTP basic authentication (RFC 7617, 2); nil if neither is set.
  var credentials: String? {
    if user == nil && password == nil { return nil }
    return Base64.encode(Array("\(user ?? ""):\(password ?? "")".utf8))
  }

  /// The values that must not appear in any message.
  package var secrets: [Secret] {
    ([password, password.map { PercentCoding.encode($0) }, credentials, query] + queryValues)
      .compactMap(\.self).filter { !$0.isEmpty }.map { Secret($0) }
  }

  /// The values in the query, encoded and decoded.
  ///
  /// Values of less than four bytes are too short to be a secret.
  private var queryValues: [String?] {
    (query ?? "").split(separator: "&").flatMap { parameter -> [String?] in
      let equals = parameter.firstIndex(of: "=")
      let value = equals.map { parameter[$0...].dropFirst() } ?? parameter
      return value.utf8.count < 4 ? [] : [String(value), PercentCoding.decode(value)]
    }
  }
}

extension HLSUploadConfiguration: CustomDebugStringConvertible, CustomReflectable {
  /// The address, without user, password and query.
  public var debugDescription: String { address }

  /// Only the address, so that no dump shows a secret.
  public var customMirror: Mirror { Mirror(self, children: ["address": address]) }
}

extension HLSUploadConfiguration {
  /// Parses `https://user:password@host/path/`.
  ///
  /// File names are appended to the path. A query is sent with every request. If its last parameter
  /// is empty, as in `https://host/upload?key=KEY&file=`, file names are appended to the query
  /// instead. The `password` argument takes precedence over the address. Special characters in user
  /// and password are percent-encoded: `%40` for `@`, `%2F` for `/`.
  ///
  /// Errors never repeat the address: in an invalid address any part may be the password.
  public init(address: String, password: String? = nil) throws(NetworkError) {
    let form = Self.addressForm
    let parts = try form.parse(address)
    let url = parts.url
    if url.path.contains("#") || url.query?.contains("#") == true {
      throw form.error("a number sign in it must be written as %23")
    }
    if url.path.contains("@") {
      throw form.error(
        "an @ in a path must be written as %40, and a slash in a password as %2F")
    }
    // In the credentials, the password begins at the first colon (RFC 7617, 2).
    if parts.user?.contains(":") == true {
      throw form.error("a user name cannot contain a colon")
    }
    let query = url.query.map { PercentCoding.encode(String($0), keeping: Self.queryMarks) }
    var path = PercentCoding.encode(String(url.path), keeping: Self.pathMarks)
    if path.isEmpty || (query.map(Self.takesNames) != true && !path.hasSuffix("/")) { path += "/" }
    self.init(endpoint: parts.endpoint, path: path)
    self.query = query?.isEmpty == true ? nil : query
    user = parts.user?.isEmpty == true ? nil : parts.user
    self.password = password ?? parts.password
  }

  /// The characters that stay unchanged in a path (RFC 3986, 3.3), and the percent sign of encoded
  /// ones.
  private static let pathMarks = "/!$&'()*+,;=:%"
  private static let queryMarks = pathMarks + "?@"

  private static let addressForm = AddressForm(
    name: "HLS", schemes: [.http, .https], example: "https://USER:PASSWORD@origin.example/live/")
}
