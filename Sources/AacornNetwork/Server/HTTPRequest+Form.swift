import AacornSystem

extension HTTPRequest {
  /// Returns the decoded fields of a form in the body, in order.
  ///
  /// Returns nil if there is no form, or if it is invalid or has more fields than the limit.
  ///
  /// The body must have the format that browsers send for a form or `URLSearchParams`
  /// (`application/x-www-form-urlencoded`). A name may occur several times.
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
    HTTPFieldList.decode(bytes).flatMap { String(utf8: $0) }
  }
}
