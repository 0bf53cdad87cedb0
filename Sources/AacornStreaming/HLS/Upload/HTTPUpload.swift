import AacornNetwork

/// Uploads files to a web server and removes them, over one connection that lasts as long as the
/// server keeps it open (RFC 9110, 9.3.4 and 9.3.5).
struct HTTPUpload {
  /// A request for a file.
  enum Request: Sendable, Equatable {
    /// Creates or replaces the file.
    case put([UInt8], caching: String)
    /// Removes the file.
    case delete
  }

  private let configuration: HLSUploadConfiguration
  private let connectTimeout: Duration
  private var transport: any ByteTransport
  private var isConnected = false
  /// The status of the last response; nil if the last request received none.
  private(set) var status: Int?
  private var inbox: [UInt8] = []

  /// The number of bytes to send before checking for an early rejection.
  private static let pieceSize = 16_384
  /// The maximum number of bytes to read of a response body.
  private static let textLimit = 4096
  /// The lowest bandwidth that the wait for a response allows for: 64 kb/s.
  static let slowestBytesPerMillisecond = 8
  /// The maximum wait for the response body after the head.
  ///
  /// The head contains all necessary information.
  private static let bodyTimeout = Duration.seconds(1)

  init(
    _ configuration: HLSUploadConfiguration, over transport: any ByteTransport,
    connectTimeout: Duration
  ) {
    self.configuration = configuration
    self.transport = transport
    self.connectTimeout = connectTimeout
  }

  /// Sends a request for a file.
  ///
  /// Returns when the server has confirmed it.
  mutating func send(_ request: Request, for name: String) throws(NetworkError) {
    let bytes = Self.bytes(request, for: name, configuration)
    status = nil
    if isConnected, isStillOpen {
      do throws(NetworkError) {
        return try sendRequest(bytes, request)
      } catch {
        guard error.kind == .closed else { throw error }
        // The server may have closed the idle connection while the request was in transit, so send
        // it again over a new connection. Both methods can be repeated safely (RFC 9110, 9.2.2).
      }
    }
    close()
    try transport.connect(to: configuration.endpoint, within: connectTimeout)
    isConnected = true
    try sendRequest(bytes, request)
  }

  /// Closes the connection.
  mutating func close() {
    transport.close()
    isConnected = false
  }

  /// Whether the server has neither closed the connection nor sent an unsolicited response.
  private var isStillOpen: Bool {
    mutating get {
      inbox = []
      return (try? transport.receive(into: &inbox, within: .zero)) == false
    }
  }

  private mutating func sendRequest(_ bytes: [UInt8], _ request: Request) throws(NetworkError) {
    let answer: ServerResponse
    let body: [UInt8]
    do throws(NetworkError) {
      (answer, body) = try exchange(bytes)
    } catch {
      // A late response to this request could be mistaken for the response to the next one.
      close()
      throw error
    }
    status = answer.status
    // A file to remove that does not exist counts as removed.
    if answer.status < 300 || request == .delete && [404, 410].contains(answer.status) { return }
    throw ServerRejection(answer, body: body, secrets: configuration.secrets.map(\.text))
      .uploadError(configuration.address, request)
  }

  /// Sends the bytes of a request, and returns the response with its body.
  private mutating func exchange(
    _ bytes: [UInt8]
  ) throws(NetworkError) -> (ServerResponse, body: [UInt8]) {
    inbox = []
    var rest = bytes[...]
    while !rest.isEmpty, !hasRejection {
      try transport.send(Array(rest.prefix(Self.pieceSize)), within: configuration.answerTimeout)
      rest = rest.dropFirst(Self.pieceSize)
      // A server may reject a request before it has read all of it, and then stop reading. So check
      // for a response.
      if !rest.isEmpty { _ = try transport.receive(into: &inbox, within: .zero) }
    }
    // The system may have buffered bytes that a slow connection still has to transmit, so the wait
    // includes that time.
    let sending = Duration.milliseconds(bytes.count / Self.slowestBytesPerMillisecond)
    let answer = try answer(within: configuration.answerTimeout + sending)
    var reader = ServerResponseReader(bodyOf: answer)
    let count = answer.isChunked ? 0 : reader.bodyCount ?? .max
    let isKept = rest.isEmpty && answer.keepsConnection && count <= Self.textLimit
    // If the length is unknown, only the reason for a rejection is worth waiting for.
    let needsBody = isKept || reader.bodyCount != nil || answer.status >= 300
    let (body, isValid) = reader.receiveBody(
      after: inbox, limit: needsBody ? Self.textLimit : 0, over: &transport,
      until: Deadline(after: Self.bodyTimeout))
    // Missing or surplus bytes could be mistaken for the next response.
    if !isKept || !isValid || !reader.isAtEnd { close() }
    return (answer, body)
  }

  /// Whether a rejection has been received.
  private var hasRejection: Bool {
    var rest = inbox[...]
    while case .complete(let answer) = ServerResponse.read(Array(rest)) {
      if answer.status >= 200 { return answer.status >= 300 }
      // “100 Continue” is not a final response.
      rest = rest.dropFirst(answer.length)
    }
    return false
  }

  /// Receives the head of the final response, and removes it from the received bytes.
  private mutating func answer(within time: Duration) throws(NetworkError) -> ServerResponse {
    let deadline = Deadline(after: time)
    switch try ServerResponse.receive(into: &inbox, over: &transport, until: deadline) {
    case .final(let answer): return answer
    case .interim, .missing: throw Self.silence(of: configuration.address)
    case .foreign:
      throw NetworkError(
        .unsupported,
        "The server at \(configuration.address) is not a web server. Check the port, and whether it "
          + "requires encryption.")
    }
  }

  /// Returns the error for a server that accepts the request but does not respond.
  static func silence(of address: String) -> NetworkError {
    NetworkError(
      .timeout,
      "\(address) does not confirm the upload. Check whether the server is working and the "
        + "network is fast enough for the bitrate.")
  }

  /// Returns the bytes of a request.
  private static func bytes(
    _ request: Request, for name: String, _ configuration: HLSUploadConfiguration
  ) -> [UInt8] {
    var method = "DELETE"
    var headers: [String] = []
    var contents: [UInt8] = []
    if case .put(let bytes, let caching) = request {
      method = "PUT"
      contents = bytes
      headers = [
        "Content-Type: \(HLSHandler.contentType(of: name))", "Content-Length: \(bytes.count)",
        // Object stores keep this header and send it to clients that download the file.
        "Cache-Control: \(caching)",
      ]
    }
    return ServerRequest.head(
      "\(method) \(configuration.target(of: name)) HTTP/1.1",
      host: configuration.endpoint.withoutZone.authority, credentials: configuration.credentials,
      userAgent: configuration.userAgent, headers) + contents
  }
}

/// Errors of a web server that files are uploaded to.
extension ServerRejection {
  /// Returns the error for a request to a file below `address`.
  func uploadError(_ address: String, _ request: HTTPUpload.Request) -> NetworkError {
    let method = request == .delete ? "DELETE" : "PUT"
    switch status {
    case 401:
      return NetworkError(
        .unauthorized,
        "\(address) requires a user name and a password, or different ones. Give credentials that "
          + "allow \(method) there.")
    case 403:
      return NetworkError(
        .forbidden,
        "\(address) does not allow uploads\(quotation). The server must allow \(method) there, and "
          + "its process must have permission to write to that folder.")
    case 404, 409, 410:
      return NetworkError(
        .notFound,
        "\(address) does not exist (status \(status))\(quotation). Check the address, and create "
          + "that folder on the server.")
    case 405, 501:
      return NetworkError(
        .unsupported,
        "\(address) does not accept uploads (status \(status))\(quotation). The server must allow "
          + "\(method) there; check whether this is the address for uploads.")
    case 413:
      return NetworkError(
        .unsupported,
        "\(address) does not accept files of this size (status 413)\(quotation). Raise the server's "
          + "limit (client_max_body_size in nginx), or choose shorter segments.")
    case 408:
      return NetworkError(
        .timeout,
        "\(address) waited too long for a file (status 408). Check whether the network is fast "
          + "enough for the bitrate.")
    case 507:
      return NetworkError(
        .serverFault, "\(address) has no room left (status 507)\(quotation). Make room there.")
    default:
      return generalError(address)
        ?? NetworkError(
          .unsupported,
          "\(address) does not accept the request (status \(status))\(quotation). Check whether this "
            + "is the address for uploads.")
    }
  }
}
