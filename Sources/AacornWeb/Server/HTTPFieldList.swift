import CAacornMicroHTTPD

/// Lists of names and values.
enum HTTPFieldList {
  /// The headers of a request.
  static func headers(of connection: OpaquePointer) -> [HTTPField] {
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

  /// The items of a query or form as received, in order; nil if there are more than the limit.
  static func items(
    _ bytes: some Collection<UInt8>, limit: Int
  ) -> [(name: [UInt8], value: [UInt8])]? {
    var items: [(name: [UInt8], value: [UInt8])] = []
    for pair in bytes.split(separator: UInt8(ascii: "&")) {
      if items.count >= limit { return nil }
      let sides = pair.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      items.append((Array(sides[0]), sides.count > 1 ? Array(sides[1]) : []))
    }
    return items
  }

  /// The bytes of a name or value, where a plus sign means a space; nil if they are invalid.
  static func decode(_ bytes: [UInt8]) -> [UInt8]? {
    HTTPTarget.decode(bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 })
  }

  /// The decoded items of a request's query, without those that are invalid.
  ///
  /// Nil if there are more than the limit.
  static func query(_ query: Substring, limit: Int) -> [HTTPField]? {
    items(query.utf8, limit: limit)?.compactMap { item in
      guard let name = decode(item.name), let value = decode(item.value) else { return nil }
      return HTTPField(
        String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
    }
  }
}
