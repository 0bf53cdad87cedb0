/// The body of a response.
///
/// A block is read whenever the client can accept more. Any number of clients can thus receive the
/// same bytes from a single copy.
final class HTTPBody {
  private let content: HTTPResponse.Body
  /// The length in bytes; nil for a stream.
  let count: Int?
  /// The number of bytes to read at a time.
  let blockSize: Int

  /// Prepares a body.
  ///
  /// Returns nil if a stream is used a second time.
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

  /// Copies the bytes at a position to memory, or returns the reason why there are none.
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
