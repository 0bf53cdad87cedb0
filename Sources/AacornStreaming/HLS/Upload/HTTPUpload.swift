import AacornWeb

/// Puts files on a web server and removes them there, over one connection that lasts as long as the
/// server keeps it (RFC 9110, 9.3.4 and 9.3.5).
struct HTTPUpload {
  /// What is to be done with a file.
  enum Request: Sendable, Equatable {
    /// It gets these contents.
    case put([UInt8], caching: String)
    /// It goes away.
    case delete
  }

  private let configuration: HLSUploadConfiguration
  private let connectTimeout: Duration
  private var transport: any ByteTransport
  private var isConnected = false
  /// The status of the last answer; nil if the last request got none.
  private(set) var status: Int?
  private var inbox: [UInt8] = []

  /// The most bytes that are sent before a refusal is looked for.
  private static let pieceSize = 16_384
  /// How much of a refusal's text is read.
  private static let textLimit = 4096
  private static let lastChunk = Array("0\r\n\r\n".utf8)
  /// As fast as the slowest way on which an answer is still waited for: 64 kb/s.
  static let slowestBytesPerMillisecond = 8
  /// How long to wait for what follows the head of an answer: it has said all that matters.
  private static let textPatience = Duration.seconds(1)

  init(
    _ configuration: HLSUploadConfiguration, over transport: any ByteTransport,
    connectTimeout: Duration
  ) {
    self.configuration = configuration
    self.transport = transport
    self.connectTimeout = connectTimeout
  }

  /// Sends a request for a file, and returns when the server has confirmed it.
  mutating func send(_ request: Request, for name: String) throws(NetworkError) {
    let bytes = Self.bytes(request, for: name, configuration)
    status = nil
    if isConnected, isStillOpen {
      do throws(NetworkError) {
        return try ask(bytes, request)
      } catch {
        guard error.kind == .closed else { throw error }
        // The server may have ended the resting connection while the request was on its way. Both
        // methods may be repeated without harm (RFC 9110, 9.2.2).
      }
    }
    close()
    try transport.connect(to: configuration.endpoint, within: connectTimeout)
    isConnected = true
    try ask(bytes, request)
  }

  /// Closes the connection.
  mutating func close() {
    transport.close()
    isConnected = false
  }

  /// Whether the server has neither ended the connection nor said what nobody asked for.
  private var isStillOpen: Bool {
    mutating get {
      inbox = []
      return (try? transport.receive(into: &inbox, within: .zero)) == false
    }
  }

  private mutating func ask(_ bytes: [UInt8], _ request: Request) throws(NetworkError) {
    let answer: ServerAnswer
    let body: [UInt8]
    do throws(NetworkError) {
      (answer, body) = try exchange(bytes)
    } catch {
      // Otherwise the answer to this request could be taken for that to the next one.
      close()
      throw error
    }
    status = answer.status
    // What is to go away may be gone.
    if answer.status < 300 || request == .delete && [404, 410].contains(answer.status) { return }
    throw ServerRefusal(answer, body: body, secrets: configuration.secrets.map(\.text))
      .uploadError(configuration.address, request)
  }

  /// Sends the bytes of a request, and returns the answer to it.
  private mutating func exchange(
    _ bytes: [UInt8]
  ) throws(NetworkError) -> (ServerAnswer, body: [UInt8]) {
    inbox = []
    var rest = bytes[...]
    while !rest.isEmpty, !isRefused {
      try transport.send(Array(rest.prefix(Self.pieceSize)), within: configuration.answerTimeout)
      rest = rest.dropFirst(Self.pieceSize)
      // A server may refuse before it has read everything, and then reads no more.
      if !rest.isEmpty { _ = try transport.receive(into: &inbox, within: .zero) }
    }
    // The system may have taken bytes that a slow way has yet to carry.
    let sending = Duration.milliseconds(bytes.count / Self.slowestBytesPerMillisecond)
    let answer = try answer(within: configuration.answerTimeout + sending)
    let isBodiless = answer.status == 204 || answer.status == 304
    let isChunked = answer.isChunked && !isBodiless
    let count = isBodiless ? 0 : isChunked ? nil : answer.contentLength
    let isKept =
      rest.isEmpty && answer.keepsConnection && (isChunked || (count ?? .max) <= Self.textLimit)
    // Where the length is unknown, only the reasons of a refusal are worth waiting for.
    let limit = isKept || count != nil || answer.status >= 300 ? Self.textLimit : 0
    let wanted = min(count ?? limit, limit)
    let deadline = Deadline(after: Self.textPatience)
    while inbox.count < wanted, !(isChunked && hasLastChunk) {
      let time = deadline.rest
      if time > .zero, (try? transport.receive(into: &inbox, within: time)) == true { continue }
      break
    }
    // What is left, or too much, could be taken for the next answer.
    if !isKept || !(isChunked ? hasLastChunk : inbox.count == count) { close() }
    return (answer, inbox)
  }

  private var hasLastChunk: Bool {
    inbox == Self.lastChunk || inbox.suffix(Self.lastChunk.count + 2) == [13, 10] + Self.lastChunk
  }

  /// Whether a refusal has come.
  private var isRefused: Bool {
    var rest = inbox[...]
    while case .complete(let answer) = ServerAnswer.read(Array(rest)) {
      if answer.status >= 200 { return answer.status >= 300 }
      // “100 Continue” says nothing yet.
      rest = rest.dropFirst(answer.length)
    }
    return false
  }

  /// The head of the final answer, removed from what has come.
  private mutating func answer(within time: Duration) throws(NetworkError) -> ServerAnswer {
    let deadline = Deadline(after: time)
    while true {
      switch ServerAnswer.read(inbox) {
      case .foreign:
        throw NetworkError(
          .unsupported,
          "What answers at \(configuration.address) is not a web server. Check whether the port is "
            + "right, and whether it expects encryption.")
      case .complete(let answer):
        inbox.removeFirst(answer.length)
        if answer.status >= 200 { return answer }
      case .incomplete:
        let time = deadline.rest
        if time > .zero, try transport.receive(into: &inbox, within: time) { continue }
        throw Self.silence(of: configuration.address)
      }
    }
  }

  /// The error for a server that takes what is sent, and says nothing.
  static func silence(of address: String) -> NetworkError {
    NetworkError(
      .timeout,
      "\(address) does not confirm what was sent. Check whether the server is working and the "
        + "network is fast enough for the bitrate.")
  }

  /// A request as it is sent.
  private static func bytes(
    _ request: Request, for name: String, _ configuration: HLSUploadConfiguration
  ) -> [UInt8] {
    let target = configuration.target(of: name)
    let host = configuration.authority(of: configuration.endpoint.withoutZone)
    var lines: [String]
    var contents: [UInt8] = []
    switch request {
    case .put(let bytes, let caching):
      contents = bytes
      lines = [
        "PUT \(target) HTTP/1.1", "Host: \(PlainLine.of(host))",
        "Content-Type: \(HLSHandler.contentType(of: name))", "Content-Length: \(bytes.count)",
        // Object stores keep it for those who fetch the file.
        "Cache-Control: \(caching)",
      ]
    case .delete: lines = ["DELETE \(target) HTTP/1.1", "Host: \(PlainLine.of(host))"]
    }
    lines.append("User-Agent: \(PlainLine.of(configuration.userAgent))")
    if let credentials = configuration.credentials {
      lines.append("Authorization: Basic \(credentials)")
    }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + contents
  }
}
