/// Functions that parse lists of names and values, such as queries and forms.
enum HTTPFieldList {
  /// Returns the items of a query or form, encoded and in order, or nil if there are more than the
  /// limit.
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

  /// Decodes a name or value, in which a plus sign is a space.
  ///
  /// Returns nil if the bytes are invalid.
  static func decode(_ bytes: [UInt8]) -> [UInt8]? {
    PercentCoding.decode(bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 })
  }

  /// Returns the decoded items of a query, or nil if there are more than the limit.
  ///
  /// Invalid items are omitted.
  static func query(_ query: Substring, limit: Int) -> [HTTPField]? {
    items(query.utf8, limit: limit)?.compactMap { item in
      guard let name = decode(item.name), let value = decode(item.value) else { return nil }
      return HTTPField(
        String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
    }
  }
}
