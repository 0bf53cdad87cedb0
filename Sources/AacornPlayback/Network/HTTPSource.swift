import AacornRecording
import AacornSystem

/// Sound from the web, in a pipe from which it is read like a file.
///
///     server ─► a thread of its own ─► pipe, some seconds of sound ─► reader
///
/// A broken connection is made anew, with longer and longer waits, and a file goes on where it was.
final class HTTPSource: Sendable {
  /// Whether it is a broadcast, which has no other place than the one on air.
  let isLive: Bool
  private let reading: Int32
  private let interruption = Interruption()
  private let outcome = Lock(Outcome())

  /// What has become of the sound, written before the pipe ends.
  private struct Outcome {
    /// Why it broke off for good.
    var failure: AACFileError?
    /// Segments that did not come, or not whole.
    var missingCount = 0
  }

  /// Times to wait before another attempt, in milliseconds.
  private static let waits = [500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000]
  private static let redirectLimit = 8
  /// Bytes that a connection must have brought for the next attempt to count as the first again.
  private static let progress = 65_536

  /// Asks a server for a sound, and begins to read it once the server has agreed.
  ///
  /// - Parameters:
  ///   - address: Where it is.
  ///   - opening: What ends the wait for the answer.
  ///   - titles: Is called on another thread with what a broadcast says of itself.
  /// - Throws: Why there is no sound.
  init(
    _ address: HTTPAddress, opening: Interruption, titles: @escaping @Sendable (String) -> Void
  ) throws(AACFileError) {
    let (address, request, segments) = try Self.follow(address, opening)
    guard let pipe = System.makePipe() else {
      throw HTTPConnection.failure(address.place, "too many files are open")
    }
    reading = pipe.reading
    isLive = segments?.isLive ?? request.answer.isLive
    let interruption = interruption
    request.connection.interruption = interruption
    // What the first answer brought is passed on by the thread, which owns the connection from now on.
    let outcome = outcome
    let start = Lock<Request?>(nil)
    start.withLock { $0 = request }
    let isStarted = System.startThread {
      System.blockPipeSignal()
      guard let request = start.withLock({ $0.take() }) else { return }
      let failure: AACFileError?
      if let segments {
        failure = segments.run(into: pipe.writing, interruption) {
          outcome.withLock { $0.missingCount += 1 }
        }
      } else {
        failure = Self.run(address, request, into: pipe.writing, interruption, titles)
      }
      outcome.withLock { $0.failure = failure }
      try? System.close(pipe.writing)
    }
    if !isStarted {
      try? System.close(pipe.writing)
      throw AACFileError(
        .noThread, "The system has no threads left.", .words("Close other programs."))
    }
  }

  deinit {
    interruption.raise(System.interruptSignal)
    try? System.close(reading)
  }

  /// The path under which the pipe can be opened, as long as this exists.
  var path: String { "/dev/fd/\(reading)" }

  /// Why the sound broke off for good, once the pipe has ended; nil if it did not.
  var failure: AACFileError? { outcome.withLock(\.failure) }

  /// What is missing in what has come, as a sentence; nil if nothing is.
  var damageSentence: String? {
    let count = outcome.withLock(\.missingCount)
    if count == 0 { return nil }
    return "\(QuantityText.count(count, "segment")) of the sound did not come, or not whole; the "
      + "others were played."
  }

  // MARK: The thread

  /// A connection, what it has answered so far, and the body of that.
  struct Request {
    /// Where it is, after all detours.
    var address: HTTPAddress
    var connection: HTTPConnection
    var answer: HTTPAnswer
    var body: [UInt8]
    /// Bytes of the body that come before what was asked for.
    var skipCount = 0
    /// Bytes that are wanted behind those.
    var wantedCount = Int.max

    /// Whether nothing more has to come.
    var isWhole: Bool { wantedCount == 0 || answer.isWhole }

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
  }

  /// Passes on what comes, over as many connections as it takes; returns why that is not all.
  private static func run(
    _ address: HTTPAddress, _ first: Request, into pipe: Int32, _ interruption: Interruption,
    _ titles: (String) -> Void
  ) -> AACFileError? {
    var request: Request? = first
    let isLive = first.answer.isLive
    let total = first.answer.bodyCount
    var passedCount = 0
    var attempt = 0
    var told: String?
    var isWhole = false
    var failure = HTTPConnection.failure(address.place, "the sound broke off")
    while true {
      if var current = request {
        request = nil
        let before = passedCount
        do throws(AACFileError) {
          passedCount += try pass(&current, into: pipe, interruption) { title in
            if title != told { titles(title) }
            told = title
          }
        } catch {
          // Nobody wants it any more.
          return nil
        }
        if passedCount - before >= progress { attempt = 0 }
        isWhole = total.map { passedCount >= $0 } ?? (!isLive && current.isWhole)
      }
      if isWhole || interruption.signal != nil { return nil }
      if attempt == waits.count { return failure }
      interruption.wait(milliseconds: waits[attempt])
      attempt += 1
      let part = isLive || passedCount == 0 ? nil : passedCount..<Int.max
      do throws(AACFileError) {
        request = try self.request(address, part, interruption)
      } catch {
        failure = error
      }
      // The rest of another file is of no use.
      if part != nil, let answer = request?.answer, answer.status == 200,
        answer.bodyCount != total
      {
        return HTTPConnection.failure(address.place, "the sound has changed meanwhile")
      }
    }
  }

  /// Passes on what comes until the connection ends; throws if nobody wants it any more.
  static func pass(
    _ request: inout Request, into pipe: Int32, _ interruption: Interruption,
    _ titles: (String) -> Void
  ) throws(AACFileError) -> Int {
    var passedCount = 0
    var bytes: [UInt8] = []
    while true {
      if let title = request.answer.takeTitle() { titles(title) }
      request.takePart()
      try write(request.body, into: pipe, interruption)
      passedCount += request.body.count
      request.body.removeAll(keepingCapacity: true)
      if request.answer.isOver || request.wantedCount == 0 { return passedCount }
      bytes.removeAll(keepingCapacity: true)
      do throws(AACFileError) {
        guard try request.connection.receive(into: &bytes) else { return passedCount }
      } catch {
        if error.kind == .interrupted { throw error }
        return passedCount
      }
      do throws(HTTPAnswer.Fault) {
        try request.answer.push(bytes, into: &request.body)
      } catch {
        return passedCount
      }
    }
  }

  private static func write(
    _ bytes: [UInt8], into pipe: Int32, _ interruption: Interruption
  ) throws(AACFileError) {
    var offset = 0
    while offset < bytes.count {
      do throws(Interrupted) {
        try interruption.wait(for: pipe, writing: true)
      } catch {
        throw AACFileError(signal: error.signal)
      }
      do throws(SystemError) {
        offset += try System.write(pipe, bytes, from: offset)
      } catch {
        // The reader is gone, unless the pipe was only full.
        if error != .wouldBlock { throw AACFileError(signal: System.pipeSignal) }
      }
    }
  }

  // MARK: Asking

  /// Asks for a sound, and follows lists to their first address; segments are those of HLS.
  private static func follow(
    _ address: HTTPAddress, _ interruption: Interruption
  ) throws(AACFileError) -> (HTTPAddress, Request, HLSSegments?) {
    var address = address
    for _ in 0...redirectLimit {
      let request = try self.request(address, nil, interruption)
      guard request.isPlaylist else { return (address, request, nil) }
      let bytes = try HLSSegments.all(of: request)
      if let playlist = HLSPlaylist(bytes), playlist.hasTags {
        return (address, request, try HLSSegments(request.address, playlist, interruption))
      }
      guard let next = AddressList.first(in: bytes).flatMap(request.address.following) else {
        throw HTTPConnection.failure(address.place, "its playlist leads nowhere")
      }
      address = next
    }
    throw HTTPConnection.failure(address.place, "its playlists lead around in circles")
  }

  /// Asks for a sound or a part of its bytes, and follows where the answers lead.
  static func request(
    _ address: HTTPAddress, _ part: Range<Int>?, _ interruption: Interruption
  ) throws(AACFileError) -> Request {
    var address = address
    for _ in 0...redirectLimit {
      let request = try ask(address, part, interruption)
      switch request.answer.status ?? 0 {
      case 200, 206: return request
      case 301, 302, 303, 307, 308:
        guard let next = request.answer.header("location").flatMap(address.following) else {
          throw HTTPConnection.failure(address.place, "it leads nowhere")
        }
        address = next
      case let status:
        let reason = status == 404 ? "there is no such sound (404)" : "it answers \(status)"
        throw HTTPConnection.failure(address.place, reason)
      }
    }
    throw HTTPConnection.failure(address.place, "it leads around in circles")
  }

  private static func ask(
    _ address: HTTPAddress, _ part: Range<Int>?, _ interruption: Interruption
  ) throws(AACFileError) -> Request {
    let connection = try HTTPConnection(to: address, interruption)
    var lines = [
      "GET \(address.target) HTTP/1.1", "Host: \(address.place)", "User-Agent: aacorn",
      "Accept: */*", "Icy-MetaData: 1", "Connection: close",
    ]
    if let part {
      let last = part.upperBound == .max ? "" : "\(part.upperBound - 1)"
      lines.append("Range: bytes=\(part.lowerBound)-\(last)")
    }
    try connection.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
    var request = Request(
      address: address, connection: connection, answer: HTTPAnswer(), body: [])
    var bytes: [UInt8] = []
    while request.answer.status == nil {
      bytes.removeAll(keepingCapacity: true)
      guard try connection.receive(into: &bytes) else {
        throw HTTPConnection.failure(address.place, "it has hung up")
      }
      do throws(HTTPAnswer.Fault) {
        try request.answer.push(bytes, into: &request.body)
      } catch {
        throw HTTPConnection.failure(address.place, "it does not speak HTTP")
      }
    }
    if let part {
      // A server that knows no parts sends it all.
      if request.answer.status == 200 { request.skipCount = part.lowerBound }
      if part.upperBound != .max { request.wantedCount = part.count }
    }
    return request
  }
}
