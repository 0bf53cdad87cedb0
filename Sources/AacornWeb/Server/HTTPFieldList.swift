/// Lists of names and values.
enum HTTPFieldList {
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
