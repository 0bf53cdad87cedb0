import AacornNetwork
import AacornRecording
import AacornSystem

/// A download from a server, with the response received so far and its body.
struct HTTPDownload {
  /// The address of the response, after all redirects.
  var address: HTTPAddress
  var connection: HTTPConnection
  var response: HTTPResponseParser
  var body: [UInt8]
  /// The number of bytes in the body that precede the requested part.
  var skipCount = 0
  /// The number of requested bytes that have not been received yet, after the skipped bytes.
  var wantedCount = Int.max
  /// The error that broke the connection before the end; nil without one.
  var connectionError: AACFileError?
  /// Whether the connection was given up because the beginning of the audio arrived too slowly.
  var isTooSlow = false

  static let redirectLimit = 8

  /// Whether no more bytes of the requested part can arrive.
  var isDone: Bool { wantedCount == 0 || response.isFinished }

  /// Whether the requested part is complete.
  var isComplete: Bool { connectionError == nil && (wantedCount == 0 || response.isComplete) }

  /// Removes the bytes outside the requested part from the received body.
  mutating func trimBody() {
    let count = min(skipCount, body.count)
    skipCount -= count
    if count > 0 { body.removeFirst(count) }
    if body.count > wantedCount { body.removeLast(body.count - wantedCount) }
    wantedCount -= body.count
  }

  /// Whether the response is a playlist rather than audio.
  var isPlaylist: Bool {
    let kind = response.header("content-type")?.lowercased() ?? ""
    let path = address.target.prefix { $0 != "?" }
    return kind.contains("mpegurl") || kind.contains("scpls")
      || [".m3u8", ".m3u", ".pls"].contains { path.hasSuffix($0) }
  }

  // MARK: Rejections

  /// The error if the server rejects the request; nil otherwise.
  var rejection: AACFileError? {
    let status = response.status ?? 0
    if status == 200 || status == 206 { return nil }
    let words: (reason: String, advice: String) =
      switch status {
      case 401, 407:
        (
          "it requires a user name and a password, which is not supported",
          "Choose a public address."
        )
      case 403: ("it does not allow access", "Choose a public address.")
      case 404, 410: ("it has no such file or stream", "Check the address.")
      case 429, 500...599: ("it is overloaded or has an error", "Try again later.")
      default: ("it responds with an unexpected status", "Check the address.")
      }
    return address.failure("\(words.reason) (\(status))", words.advice)
  }

  /// Whether a repeated request would be rejected again.
  var isPermanentlyRejected: Bool {
    guard let status = response.status else { return false }
    return (400...499).contains(status) && status != 408 && status != 429
  }

  /// Returns the request if the server accepts it, and throws the rejection otherwise.
  func accepted() throws(AACFileError) -> HTTPDownload {
    if let rejection { throw rejection }
    return self
  }

  // MARK: Sending

  /// Requests a resource or a byte range, and follows redirects.
  ///
  /// The final response may be a rejection.
  static func send(
    to address: HTTPAddress, part: Range<Int>? = nil, _ options: HTTPTransferOptions,
    _ interruption: Interruption
  ) throws(AACFileError) -> HTTPDownload {
    var address = address
    for _ in 0...redirectLimit {
      let request = try sendOnce(to: address, part: part, options, interruption)
      switch request.response.status ?? 0 {
      case 301, 302, 303, 307, 308:
        address = try request.address.next(request.response.header("location"), by: .response)
      default: return request
      }
    }
    throw address.failure("it redirects too often")
  }

  private static func sendOnce(
    to address: HTTPAddress, part: Range<Int>?, _ options: HTTPTransferOptions,
    _ interruption: Interruption
  ) throws(AACFileError) -> HTTPDownload {
    let connection = try HTTPConnection(to: address, options, interruption)
    var address = address
    if connection.isPrivate { address.isPrivate = true }
    if address.isPrivate, !address.mayBePrivate {
      throw address.failure(
        "it is in a private network, but an address on the internet leads to it",
        "Play that address directly if you trust it.")
    }
    var headers = ["Accept: */*", "Icy-MetaData: 1", "Connection: close"]
    if let part {
      let last = part.upperBound == .max ? "" : "\(part.upperBound - 1)"
      headers.append("Range: bytes=\(part.lowerBound)-\(last)")
    }
    try connection.send(
      ServerRequest.head(
        "GET \(address.target) HTTP/1.1", host: address.authority, userAgent: "aacorn", headers))
    var request = HTTPDownload(
      address: address, connection: connection, response: HTTPResponseParser(), body: [])
    var bytes: [UInt8] = []
    // The deadline applies to the complete head and all interim responses.
    let deadline = System.nanoseconds + options.silenceTimeout.nanoseconds
    while request.response.status == nil {
      bytes.removeAll(keepingCapacity: true)
      guard try connection.receive(into: &bytes, before: deadline) else {
        throw address.failure("it closed the connection")
      }
      if !request.response.push(bytes, into: &request.body) {
        throw address.failure("it does not speak HTTP")
      }
      // Interim responses without a pause would otherwise never reach the deadline in `receive`.
      if request.response.status == nil, System.nanoseconds > deadline {
        throw address.failure(HTTPConnection.tooSlowReason)
      }
    }
    if let part { try request.choose(part) }
    return request
  }

  /// Limits the body to the requested part.
  private mutating func choose(_ part: Range<Int>) throws(AACFileError) {
    if part.upperBound != .max { wantedCount = part.count }
    switch response.status ?? 0 {
    // A server without support for ranges sends the complete resource.
    case 200: skipCount = part.lowerBound
    case 206:
      let start = response.part?.start ?? part.lowerBound
      guard start <= part.lowerBound else {
        throw address.failure("it sends another part than requested")
      }
      skipCount = part.lowerBound - start
    default: break
    }
  }
}
