#if !canImport(Network)
import CAacornMicroHTTPD

/// A response that libmicrohttpd sends.
///
/// The library reads blocks of its body.
final class LibraryResponse {
  private let body: HTTPBody
  private let connection: LibraryConnection

  private init(_ body: HTTPBody, _ connection: LibraryConnection) {
    self.body = body
    self.connection = connection
  }

  /// Passes a response to the library.
  ///
  /// Returns false if the connection must end.
  static func send(_ answer: PreparedResponse, on connection: OpaquePointer) -> Bool {
    // The library uses the maximum value for an unknown size.
    let size = answer.body.count.map { UInt64($0) } ?? .max
    let sending = unsafe LibraryResponse(answer.body, LibraryConnection(connection))
    let context = unsafe Unmanaged.passRetained(sending).toOpaque()
    guard
      let response = unsafe aacorn_mhd_body(size, answer.body.blockSize, read, context, release)
    else { return false }
    for field in answer.headers {
      _ = unsafe aacorn_mhd_add_header(response, field.name, field.value)
    }
    let status = UInt32(answer.status)
    return unsafe aacorn_mhd_answer(connection, status, response) == UInt32(AACORN_MHD_YES)
  }

  private static let read: aacorn_mhd_reader = { context, position, space, spaceSize in
    guard let context = unsafe context else { return Int(AACORN_MHD_END_WITH_ERROR) }
    let answer = unsafe Unmanaged<LibraryResponse>.fromOpaque(context).takeUnretainedValue()
    let buffer = unsafe UnsafeMutableRawBufferPointer(start: space, count: spaceSize)
    guard let position = Int(exactly: position) else { return Int(AACORN_MHD_END_OF_STREAM) }
    switch unsafe answer.body.read(from: position, into: buffer) {
    case .bytes(let count): return count
    case .wait: return 0
    case .end: return Int(AACORN_MHD_END_OF_STREAM)
    case .failure: return unsafe answer.fail(buffer)
    }
  }

  private static let release: aacorn_mhd_reader_end = { context in
    guard let context = unsafe context else { return }
    unsafe Unmanaged<LibraryResponse>.fromOpaque(context).release()
  }

  /// Aborts the connection.
  ///
  /// After an error in the reader, the library keeps the connection and its descriptor until the
  /// idle timeout. But it immediately closes a connection that it cannot write to. So none of the
  /// bytes returned here are sent.
  private func fail(_ space: UnsafeMutableRawBufferPointer) -> Int {
    connection.disconnect()
    unsafe space.initializeMemory(as: UInt8.self, repeating: 0)
    return space.count
  }
}
#endif
