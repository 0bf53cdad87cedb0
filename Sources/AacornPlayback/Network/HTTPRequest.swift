import AacornRecording
import AacornSystem

/// A question to a server, what has been answered so far, and the body of that.
struct HTTPRequest {
  /// Where the answer comes from, after all detours.
  var address: HTTPAddress
  var connection: HTTPConnection
  var answer: HTTPAnswer
  var body: [UInt8]
  /// Bytes of the body that come before what was asked for.
  var skipCount = 0
  /// Bytes that are wanted behind those.
  var wantedCount = Int.max
  /// Why the connection broke before the end, if it did.
  var breakage: AACFileError?
  /// Whether the connection was given up because the beginning of the audio arrived too slowly.
  var isTooSlow = false

  static let redirectLimit = 8

  /// Whether nothing more can come of what was asked for.
  var isDone: Bool { wantedCount == 0 || answer.isOver }

  /// Whether nothing is missing of what was asked for.
  var isWhole: Bool { breakage == nil && (wantedCount == 0 || answer.isWhole) }

  /// Leaves only what was asked for of the body that has come.
  mutating func takePart() {
    let count = min(skipCount, body.count)
    skipCount -= count
    if count > 0 { body.removeFirst(count) }
    if body.count > wantedCount { body.removeLast(body.count - wantedCount) }
    wantedCount -= body.count
  }

  /// Whether it is a playlist, and not sound.
  var isPlaylist: Bool {
    let kind = answer.header("content-type")?.lowercased() ?? ""
    let path = address.target.prefix { $0 != "?" }
    return kind.contains("mpegurl") || kind.contains("scpls")
      || [".m3u8", ".m3u", ".pls"].contains { path.hasSuffix($0) }
  }

  // MARK: Refusals

  /// Why the server does not give what was asked for; nil if it does.
  var refusal: AACFileError? {
    let status = answer.status ?? 0
    if status == 200 || status == 206 { return nil }
    let words: (reason: String, advice: String) =
      switch status {
      case 401, 407:
        ("it asks for a name and a password, which are not sent", "Choose a public address.")
      case 403: ("it does not give the sound to this computer", "Choose a public address.")
      case 404, 410: ("there is no such sound", "Check the address.")
      case 429, 500...599: ("it is busy or out of order", "Try again later.")
      default: ("it answers with a number that is unknown here", "Check the address.")
      }
    return HTTPConnection.failure(address.place, "\(words.reason) (\(status))", words.advice)
  }

  /// Whether it is of no use to ask for the same again.
  var isRefusedForGood: Bool {
    guard let status = answer.status else { return false }
    return (400...499).contains(status) && status != 408 && status != 429
  }

  /// The request, if the server gives what was asked for.
  func accepted() throws(AACFileError) -> HTTPRequest {
    if let refusal { throw refusal }
    return self
  }

  // MARK: Asking

  /// Asks for a sound or a part of its bytes, and follows where the answers lead; the last one may be
  /// a refusal.
  static func send(
    to address: HTTPAddress, part: Range<Int>? = nil, _ manner: HTTPManner,
    _ interruption: Interruption
  ) throws(AACFileError) -> HTTPRequest {
    var address = address
    for _ in 0...redirectLimit {
      let request = try ask(address, part, manner, interruption)
      switch request.answer.status ?? 0 {
      case 301, 302, 303, 307, 308:
        address = try request.address.next(request.answer.header("location"), by: .answer)
      default: return request
      }
    }
    throw HTTPConnection.failure(address.place, "it leads around in circles")
  }

  private static func ask(
    _ address: HTTPAddress, _ part: Range<Int>?, _ manner: HTTPManner,
    _ interruption: Interruption
  ) throws(AACFileError) -> HTTPRequest {
    let connection = try HTTPConnection(to: address, manner, interruption)
    var address = address
    if connection.isPrivate { address.isPrivate = true }
    if address.isPrivate, !address.mayBePrivate {
      throw HTTPConnection.failure(
        address.place, "an address of the internet leads to it, and it is in a private network",
        "Play that address itself if that does not matter.")
    }
    var lines = [
      "GET \(address.target) HTTP/1.1", "Host: \(address.place)", "User-Agent: aacorn",
      "Accept: */*", "Icy-MetaData: 1", "Connection: close",
    ]
    if let part {
      let last = part.upperBound == .max ? "" : "\(part.upperBound - 1)"
      lines.append("Range: bytes=\(part.lowerBound)-\(last)")
    }
    try connection.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
    var request = HTTPRequest(
      address: address, connection: connection, answer: HTTPAnswer(), body: [])
    var bytes: [UInt8] = []
    // Of all its head, and of what only says that the answer is on its way.
    let limit = System.nanoseconds + manner.silence.nanoseconds
    while request.answer.status == nil {
      bytes.removeAll(keepingCapacity: true)
      guard try connection.receive(into: &bytes, before: limit) else {
        throw HTTPConnection.failure(address.place, "it has hung up")
      }
      do throws(HTTPAnswer.Fault) {
        try request.answer.push(bytes, into: &request.body)
      } catch {
        throw HTTPConnection.failure(address.place, "it does not speak HTTP")
      }
      // As many answers as come without a pause may say nothing.
      if request.answer.status == nil, System.nanoseconds > limit {
        throw HTTPConnection.failure(address.place, HTTPPatience.slowness)
      }
    }
    if let part { try request.choose(part) }
    return request
  }

  /// Leaves the part of the body that was asked for.
  private mutating func choose(_ part: Range<Int>) throws(AACFileError) {
    if part.upperBound != .max { wantedCount = part.count }
    switch answer.status ?? 0 {
    // A server that knows no parts sends it all.
    case 200: skipCount = part.lowerBound
    case 206:
      let start = answer.part?.start ?? part.lowerBound
      guard start <= part.lowerBound else {
        throw HTTPConnection.failure(address.place, "it sends another part than was asked for")
      }
      skipCount = part.lowerBound - start
    default: break
    }
  }
}
