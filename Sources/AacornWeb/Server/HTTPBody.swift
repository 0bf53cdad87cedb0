/// The body of an answer, from which a block is taken when the client has room.
///
/// This lets any number of clients receive the same bytes from a single copy.
final class HTTPBody {
  private let content: HTTPResponse.Body
  /// Its length in bytes; nil if only its end tells.
  let count: Int?
  /// Bytes to take at a time.
  let blockSize: Int

  /// Prepares a body; nil if a stream is used twice.
  init?(_ content: HTTPResponse.Body, for exchange: HTTPExchange) {
    switch content {
    case .bytes(let bytes): blockSize = min(max(bytes.count, 1), 32 * 1024)
    case .file(let file): blockSize = min(max(file.count, 1), 128 * 1024)
    case .stream(let stream):
      guard stream.attach(exchange) else { return nil }
      exchange.setStream(stream)
      blockSize = 4 * 1024
    }
    self.content = content
    count = content.count
  }

  /// Fills memory with the bytes at a position, or tells why there are none.
  func read(from position: Int, into space: UnsafeMutableRawBufferPointer) -> HTTPStream.Reading {
    switch content {
    case .bytes(let bytes):
      guard position < bytes.count else { return .end }
      let count = min(space.count, bytes.count - position)
      unsafe space.copyBytes(from: bytes[position..<(position + count)])
      return .bytes(count)
    case .file(let file):
      guard position < file.count else { return .end }
      return unsafe file.read(from: position, into: space).map { .bytes($0) } ?? .failure
    case .stream(let stream): return unsafe stream.read(into: space)
    }
  }
}
