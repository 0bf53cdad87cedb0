import CMicroHTTPD

/// Gathers what the library reports pair by pair.
enum HTTPFieldList {
  /// The headers of a request.
  static func headers(of connection: OpaquePointer) -> [HTTPField] {
    var fields: [HTTPField] = []
    unsafe withUnsafeMutablePointer(to: &fields) {
      unsafe aacorn_mhd_headers(connection, gather, $0)
    }
    return fields
  }

  /// The query of a request, decoded; items that cannot be are left out.
  ///
  /// The library has turned the plus signs into spaces already.
  static func query(of connection: OpaquePointer) -> [HTTPField] {
    var fields: [HTTPField] = []
    unsafe withUnsafeMutablePointer(to: &fields) {
      unsafe aacorn_mhd_query(connection, gather, $0)
    }
    return fields.compactMap { field in
      guard let name = HTTPTarget.decode(field.name.utf8),
        let value = HTTPTarget.decode(field.value.utf8)
      else { return nil }
      return HTTPField(
        String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
    }
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
