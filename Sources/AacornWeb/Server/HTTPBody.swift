import CAacornMicroHTTPD

/// The body of an answer, from which the library takes a block when the client has room.
///
/// This lets any number of clients receive the same bytes from a single copy.
final class HTTPBody {
  private let content: HTTPResponse.Body
  private let exchange: HTTPExchange

  private init(_ content: HTTPResponse.Body, _ exchange: HTTPExchange) {
    self.content = content
    self.exchange = exchange
  }

  /// Passes a body to the library; nil if there is no memory, or a stream is used twice.
  static func make(_ content: HTTPResponse.Body, for exchange: HTTPExchange) -> OpaquePointer? {
    let size: UInt64
    let blockSize: Int
    switch content {
    case .bytes(let bytes):
      size = UInt64(bytes.count)
      blockSize = min(max(bytes.count, 1), 32 * 1024)
    case .file(let file):
      size = UInt64(file.count)
      blockSize = min(max(file.count, 1), 128 * 1024)
    case .stream(let stream):
      guard stream.attach(exchange) else { return nil }
      exchange.setStream(stream)
      // The library uses the largest number for an unknown size.
      size = .max
      blockSize = 4 * 1024
    }
    let body = unsafe Unmanaged.passRetained(HTTPBody(content, exchange)).toOpaque()
    return unsafe aacorn_mhd_body(size, blockSize, read, body, release)
  }

  private static let read: aacorn_mhd_reader = { context, position, space, spaceSize in
    guard let context = unsafe context else { return Int(AACORN_MHD_END_WITH_ERROR) }
    let body = unsafe Unmanaged<HTTPBody>.fromOpaque(context).takeUnretainedValue()
    let buffer = unsafe UnsafeMutableRawBufferPointer(start: space, count: spaceSize)
    return unsafe body.read(from: position, into: buffer)
  }

  private static let release: aacorn_mhd_reader_end = { context in
    guard let context = unsafe context else { return }
    unsafe Unmanaged<HTTPBody>.fromOpaque(context).release()
  }

  private func read(from position: UInt64, into space: UnsafeMutableRawBufferPointer) -> Int {
    switch content {
    case .bytes(let bytes):
      guard let first = Int(exactly: position), first < bytes.count else {
        return Int(AACORN_MHD_END_OF_STREAM)
      }
      let count = min(space.count, bytes.count - first)
      unsafe space.copyBytes(from: bytes[first..<(first + count)])
      return count
    case .file(let file):
      guard let first = Int(exactly: position), first < file.count else {
        return Int(AACORN_MHD_END_OF_STREAM)
      }
      return unsafe file.read(from: first, into: space) ?? fail(space)
    case .stream(let stream):
      switch unsafe stream.read(into: space) {
      case .bytes(let count): return count
      case .wait: return 0
      case .end: return Int(AACORN_MHD_END_OF_STREAM)
      case .failure: return unsafe fail(space)
      }
    }
  }

  /// Aborts the connection.
  ///
  /// After an error in the reader, the library forgets the connection and keeps its place and
  /// descriptor until the idle time is over; a connection that it cannot write to it closes at
  /// once. So nothing of what is returned here is sent.
  private func fail(_ space: UnsafeMutableRawBufferPointer) -> Int {
    exchange.cut()
    unsafe space.initializeMemory(as: UInt8.self, repeating: 0)
    return space.count
  }
}
