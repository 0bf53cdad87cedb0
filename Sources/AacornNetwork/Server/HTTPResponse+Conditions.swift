import AacornSystem

extension HTTPResponse {
  /// Returns the response to a conditional request or a range request.
  ///
  /// Returns this response, status 304 if the client's copy is current, the requested part with
  /// status 206, or status 416. Only bytes and files with status 200 for GET and HEAD are changed
  /// (RFC 9110 13.2.2, 14.2).
  func conditioned(by request: HTTPRequest) -> HTTPResponse {
    guard let count = body.count, status == 200,
      request.method == "GET" || request.method == "HEAD"
    else { return self }
    let tag = headers.first(named: "ETag")
    if let tag, let known = request.header("If-None-Match"), Self.lists(known, tag) {
      var response = self
      response.status = 304
      response.body = .bytes([])
      return response
    }
    var response = self
    response.headers.append(HTTPField("Accept-Ranges", "bytes"))
    guard request.method == "GET", let rangeHeader = request.header("Range"),
      request.header("If-Range").map({ $0 == tag && !$0.hasPrefix("W/") }) ?? true
    else { return response }
    switch HTTPRange(rangeHeader, of: count) {
    case .everything: break
    case .nothing:
      response.status = 416
      response.body = .bytes([])
      response.headers.append(HTTPField("Content-Range", "bytes */\(count)"))
    case .part(let part):
      response.status = 206
      response.body = body.part(part)
      response.headers.append(
        HTTPField(
          "Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(count)"))
    }
    return response
  }

  /// Returns whether a list of entity tags contains a tag by weak comparison (RFC 9110 13.1.2).
  private static func lists(_ list: String, _ tag: String) -> Bool {
    list.split(separator: ",").contains { entry in
      var entry = entry.drop { $0 == " " }
      while entry.last == " " { entry.removeLast() }
      return entry == "*" || bare(entry) == bare(tag[...])
    }
  }

  private static func bare(_ tag: Substring) -> Substring {
    tag.hasPrefix("W/") ? tag.dropFirst(2) : tag
  }
}

extension HTTPResponse.Body {
  /// The length in bytes; nil for a stream.
  var count: Int? {
    switch self {
    case .bytes(let bytes): bytes.count
    case .file(let file): file.count
    case .stream: nil
    }
  }

  /// Returns a part of the body, or all of it if it cannot be divided.
  fileprivate func part(_ range: Range<Int>) -> HTTPResponse.Body {
    switch self {
    case .bytes(let bytes): .bytes(Array(bytes[range]))
    case .file(let file): .file(file.part(range))
    case .stream: self
    }
  }
}

/// The range that a `Range` header requests (RFC 9110 14.1.2).
enum HTTPRange: Equatable {
  /// The complete body: the header is missing or unintelligible, or has several ranges.
  case everything
  /// A range of bytes.
  case part(Range<Int>)
  /// A range outside the body.
  case nothing

  /// Parses a header for a body of this many bytes.
  init(_ text: String, of count: Int) {
    self = .everything
    let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard sides.count == 2, sides[0].lowercased() == "bytes" else { return }
    let ends = sides[1].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) }) else { return }
    // Numbers that do not fit in an `Int` are beyond the end like other large ones.
    let first = ends[0].isEmpty ? nil : Int(ends[0]) ?? .max
    let last = ends[1].isEmpty ? nil : Int(ends[1]) ?? .max
    switch (first, last) {
    case (let first?, let last?) where last < first: break
    case (let first?, let last):
      self = first < count ? .part(first..<(min(last ?? .max, count - 1) + 1)) : .nothing
    case (nil, let length?):
      self = length > 0 && count > 0 ? .part((count - min(length, count))..<count) : .nothing
    case (nil, nil): break
    }
  }
}
