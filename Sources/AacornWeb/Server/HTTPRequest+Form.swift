extension HTTPRequest {
  /// The fields of a form in the body, decoded, in order; nil if it holds none, one that makes no
  /// sense, or more than so many fields.
  ///
  /// The body is what browsers make of a form or of `URLSearchParams`
  /// (`application/x-www-form-urlencoded`). A name may be there several times.
  public func form(limit: Int = 256) -> [HTTPField]? {
    let type = header("Content-Type")?.prefix { $0 != ";" && $0 != " " }.lowercased()
    guard type == "application/x-www-form-urlencoded",
      let items = HTTPFieldList.items(body, limit: limit)
    else { return nil }
    var fields: [HTTPField] = []
    for item in items {
      guard let name = Self.text(item.name), let value = Self.text(item.value) else { return nil }
      fields.append(HTTPField(name, value))
    }
    return fields
  }

  private static func text(_ bytes: [UInt8]) -> String? {
    HTTPFieldList.decode(bytes).flatMap { String(validating: $0, as: UTF8.self) }
  }
}
