#if !canImport(Network)
import CAacornMicroHTTPD

/// A request that libmicrohttpd receives, from its request line to the end of its response.
final class LibraryRequest {
  let exchange: HTTPExchange
  /// The target as received, with the query, which is hidden from the library.
  private let target: String
  /// The received length of the target in bytes.
  ///
  /// The length of the decoded text may differ.
  private let targetSize: Int

  init(_ exchange: HTTPExchange, _ target: String, _ targetSize: Int) {
    self.exchange = exchange
    self.target = target
    self.targetSize = targetSize
  }

  /// Returns the request line and the headers, as the library reports them.
  func head(
    _ method: UnsafePointer<CChar>?, _ target: UnsafePointer<CChar>?,
    _ version: UnsafePointer<CChar>?, of connection: OpaquePointer
  ) -> HTTPHead {
    let isUnambiguous = unsafe aacorn_mhd_is_plain(connection, method, target, targetSize, version)
    return HTTPHead(
      method: unsafe Self.text(method), target: self.target, version: unsafe Self.text(version),
      fields: unsafe Self.headers(of: connection),
      fault: isUnambiguous == 0 ? "Its lines are ambiguous." : nil)
  }

  /// Returns the client's address as text.
  static func address(of connection: OpaquePointer) -> String {
    var client = [CChar](repeating: 0, count: 64)
    unsafe aacorn_mhd_client(connection, &client, client.count)
    return String(decoding: client.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
  }

  static func text(_ start: UnsafePointer<CChar>?) -> String {
    guard let start = unsafe start else { return "" }
    return unsafe String(cString: start)
  }

  private static func headers(of connection: OpaquePointer) -> [HTTPField] {
    var fields: [HTTPField] = []
    unsafe withUnsafeMutablePointer(to: &fields) {
      unsafe aacorn_mhd_headers(connection, gather, $0)
    }
    return fields
  }

  private static let gather: aacorn_mhd_pair = { context, _, name, nameSize, value, valueSize in
    guard let context = unsafe context else { return UInt32(AACORN_MHD_NO) }
    let fields = unsafe context.assumingMemoryBound(to: [HTTPField].self)
    let field = unsafe HTTPField(text(name, nameSize), text(value, valueSize))
    unsafe fields.pointee.append(field)
    return UInt32(AACORN_MHD_YES)
  }

  private static func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
    guard let start = unsafe start else { return "" }
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
    return unsafe String(decoding: bytes, as: UTF8.self)
  }
}
#endif
