import AacornSystem

/// A response that is being sent to a client.
struct PendingResponse {
  /// The bytes that were not passed to the link yet.
  var bytes: [UInt8]
  /// The body; nil after its end.
  var body: HTTPBody?
  var isChunked: Bool
  /// Whether the connection ends after the response.
  var isLast: Bool
  /// The number of bytes read from the body.
  private var position = 0
  /// Whether the body is a stream that has no bytes at the moment.
  var isWaiting = false
  /// Whether the body could not be read to its end, so the connection must be closed.
  private(set) var isBroken = false

  /// Prepares a response to a request.
  ///
  /// `isLast` is true if the connection must end after the response, whatever its framing.
  init(_ answer: PreparedResponse, to head: HTTPHead, isLast: Bool) {
    // RFC 9110 8.6, 15.3.5, 15.4.5
    let isEmpty = answer.status == 204 || answer.status == 304
    let framing: HTTPResponseHead.Framing =
      if isEmpty {
        .none
      } else if let count = answer.body.count {
        .length(count)
      } else {
        head.version == "HTTP/1.0" ? .end : .chunked
      }
    self.isLast = isLast || framing == .end
    isChunked = framing == .chunked
    body = isEmpty || answer.isForHead ? nil : answer.body
    let first = HTTPResponseHead(
      status: answer.status, headers: answer.headers, framing: framing, isLast: self.isLast)
    bytes = first.bytes(at: System.wallNanoseconds)
  }

  /// Reads from the body until a piece is full.
  mutating func fill(upTo size: Int) {
    while let body, !isWaiting, bytes.count < size {
      var outcome = HTTPStream.Reading.end
      let block = unsafe [UInt8](
        unsafeUninitializedCapacity: min(body.blockSize, max(size, 1024))
      ) { space, count in
        outcome = unsafe body.read(from: position, into: UnsafeMutableRawBufferPointer(space))
        if case .bytes(let length) = outcome { count = length }
      }
      switch outcome {
      case .bytes:
        position += block.count
        if isChunked {
          bytes += HTTPResponseHead.chunk(block)
        } else if bytes.isEmpty {
          bytes = block
        } else {
          bytes += block
        }
      case .wait: isWaiting = true
      case .end:
        if isChunked { bytes += HTTPResponseHead.chunk([]) }
        self.body = nil
      case .failure:
        isBroken = true
        self.body = nil
      }
    }
  }
}

extension ClientConnection {
  /// Starts to send a response.
  func begin(_ answer: PreparedResponse) {
    phase = .answering
    // Unread bytes of this request could be mistaken for another request.
    let isLast =
      answer.isLast || head.isLast || reader.isInsideRequest
      || (hasEnded && reader.pendingCount == 0)
    outgoing = PendingResponse(answer, to: head, isLast: isLast)
  }

  /// Sends the next piece of the response.
  ///
  /// Returns false if that must wait, or if the response is complete.
  func write() -> Bool {
    guard phase == .answering, !isSending else { return false }
    outgoing?.fill(upTo: link.pieceSize)
    guard let answer = outgoing else { return false }
    if !answer.bytes.isEmpty {
      outgoing?.bytes = []
      send(answer.bytes)
      return phase == .answering
    }
    if answer.isBroken {
      close()
      return false
    }
    if answer.body != nil { return false }
    outgoing = nil
    endExchange()
    if answer.isLast {
      drain()
      return false
    }
    phase = .reading
    return true
  }
}
