extension HTTPRequest {
  /// The fields of a form in the body, decoded, in order; nil if it holds none, one that makes no
  /// sense, or more than so many fields.
  ///
  /// The body is what browsers make of a form or of `URLSearchParams`
  /// (`application/x-www-form-urlencoded`). A name may be there several times.
  public func form(limit: Int = 256) -> [HTTPField]? {
    let type = header("Content-Type")?.prefix { $0 != ";" && $0 != " " }.lowercased()
    guard type == "application/x-www-form-urlencoded" else { return nil }
    var fields: [HTTPField] = []
    for pair in body.split(separator: UInt8(ascii: "&")) {
      let sides = pair.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard fields.count < limit, let name = Self.text(sides[0]),
        let value = Self.text(sides.count > 1 ? sides[1] : [])
      else { return nil }
      fields.append(HTTPField(name, value))
    }
    return fields
  }

  /// The text of a name or value, in which a plus sign is a space.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
    let spaced = bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    return HTTPTarget.decode(spaced).flatMap { String(validating: $0, as: UTF8.self) }
  }
}
