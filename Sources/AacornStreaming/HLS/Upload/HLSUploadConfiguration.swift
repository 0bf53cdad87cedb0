import AacornCodec
import AacornContainers
public import AacornWeb

/// Where on a web server an HLS presentation is uploaded to, and how.
public struct HLSUploadConfiguration: Sendable, Equatable {
  /// The server.
  public var endpoint: NetworkEndpoint
  /// The folder on the server, as it is written in requests; begins and ends with a slash.
  ///
  /// Before a query that takes the names (`…?file=`) it is whatever stands there.
  public var path: String
  /// What follows a question mark in every request, as it is written there; never shown.
  ///
  /// The name of a file is put behind one whose last parameter is empty, and otherwise behind the
  /// path.
  public var query: String?
  /// The user's name, if the server wants one.
  public var user: String?
  /// The password, which is never shown.
  public var password: String?
  /// Whether files that have left the playlist long enough ago are removed from the server.
  public var removesOldFiles = false
  /// The program's name sent to the server.
  public var userAgent = "Aacorn/\(AacornVersion.number)"
  /// How long an answer from the server may take, and sending without progress.
  public var answerTimeout: Duration = .seconds(10)
  /// How long the server may confirm nothing of the rest, with the end of the playlists, at the end.
  public var drainTimeout: Duration = .seconds(15)
  /// How long the end may take altogether, however much the server confirms meanwhile, besides the time that
  /// what waits then takes at 64 kb/s.
  public var drainLimit: Duration = .seconds(300)
  /// The most bytes of segments that wait for the server.
  ///
  /// Segments that a live playlist no longer lists do not wait anyway.
  public var capacity = 64 << 20

  /// Creates an upload into a folder of a server.
  public init(endpoint: NetworkEndpoint, path: String) {
    self.endpoint = endpoint
    self.path = path
  }

  /// The address for display, without user, password and query.
  public var address: String {
    "\(endpoint.isSecure ? "https" : "http")://\(PlainLine.of(authority(of: endpoint)))\(path)"
  }

  /// What the server is called: without a port if it is the usual one, by which some servers do not
  /// know themselves.
  func authority(of endpoint: NetworkEndpoint) -> String {
    let scheme = endpoint.isSecure ? StreamScheme.https : .http
    let place = endpoint.description
    return endpoint.port == scheme.port
      ? String(place.dropLast(":\(endpoint.port)".count)) : place
  }

  /// What a request asks for to reach a file.
  func target(of name: String) -> String {
    guard let query else { return path + name }
    return Self.takesNames(query) ? "\(path)?\(query)\(name)" : "\(path)\(name)?\(query)"
  }

  /// Whether the last parameter has no value, and so gets the names: `file=`, but not `key=dGVzdA==`.
  private static func takesNames(_ query: String) -> Bool {
    let parameter = query[(query.lastIndex(of: "&") ?? query.startIndex)...]
    return parameter.hasSuffix("=") && parameter.count { $0 == "=" } == 1
  }

  /// User and password for HTTP basic authentication (RFC 7617, 2); nil without them.
  var credentials: String? {
    if user == nil && password == nil { return nil }
    return Base64.encode(Array("\(user ?? ""):\(password ?? "")".utf8))
  }

  /// Everything that no text may contain.
  package var secrets: [Secret] {
    ([password, password.map { PercentCoding.encode($0) }, credentials, query] + queryValues)
      .compactMap(\.self).filter { !$0.isEmpty }.map { Secret($0) }
  }

  /// The values in the query, as they are written and decoded, unless they are too short to be a
  /// secret.
  private var queryValues: [String?] {
    (query ?? "").split(separator: "&").flatMap { parameter -> [String?] in
      let equals = parameter.firstIndex(of: "=")
      let value = equals.map { parameter[$0...].dropFirst() } ?? parameter
      return value.utf8.count < 4 ? [] : [String(value), PercentCoding.decode(value)]
    }
  }
}

extension HLSUploadConfiguration: CustomDebugStringConvertible, CustomReflectable {
  /// The address.
  public var debugDescription: String { address }

  /// Only the address, so that no dump shows a secret.
  public var customMirror: Mirror { Mirror(self, children: ["address": address]) }
}

extension HLSUploadConfiguration {
  /// Parses `https://user:password@host/path/`.
  ///
  /// The names of the files are put behind the path. A query is sent with every request; if its last
  /// parameter is empty, as in `https://host/upload?key=KEY&file=`, the names are put behind that. A
  /// separate password takes precedence. Characters with a special meaning in user and password are
  /// percent-encoded: `%40` for `@`, `%2F` for `/`.
  ///
  /// Errors never repeat the address: in a wrong address any part may be the password.
  public init(address: String, password: String? = nil) throws(NetworkError) {
    let form = Self.addressForm
    let parts = try ServerAddress(address, as: form)
    if parts.path.contains("#") || parts.query?.contains("#") == true {
      throw form.wrong("a number sign in it must be written as %23")
    }
    if parts.path.contains("@") {
      throw form.wrong("an @ in a path must be written as %40, and a slash in a password as %2F")
    }
    // The password begins at the colon (RFC 7617, 2).
    if parts.user?.contains(":") == true {
      throw form.wrong("a user name cannot contain a colon")
    }
    let query = parts.query.map { PercentCoding.encode(String($0), keeping: Self.queryMarks) }
    var path = PercentCoding.encode(String(parts.path), keeping: Self.pathMarks)
    if path.isEmpty || (query.map(Self.takesNames) != true && !path.hasSuffix("/")) { path += "/" }
    self.init(endpoint: parts.endpoint, path: path)
    self.query = query?.isEmpty == true ? nil : query
    user = parts.user?.isEmpty == true ? nil : parts.user
    self.password = password ?? parts.password
  }

  /// Characters that stay as they are in a path (RFC 3986, 3.3), and what is encoded already.
  private static let pathMarks = "/!$&'()*+,;=:%"
  private static let queryMarks = pathMarks + "?@"

  private static let addressForm = ServerAddress.Form(
    name: "HLS", schemes: [.http, .https], example: "https://USER:PASSWORD@origin.example/live/")
}
