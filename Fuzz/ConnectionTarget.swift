@testable import AacornNetwork

/// Fuzzes the input of an HTTP connection.
///
/// The first byte selects the limits and the size of the pieces. The pieces must not change the
/// result.
func fuzzConnection(_ bytes: [UInt8]) {
  var input = FuzzInput(bytes)
  let choice = Int(input.byte())
  let sent = input.rest
  var limits = HTTPRequestReader.Limits()
  if choice & 0x80 != 0 { limits = .init(head: 100, fields: 4, chunkLine: 20) }
  let whole = readConnection(sent, inPiecesOf: max(1, sent.count), limits)
  let parts = readConnection(sent, inPiecesOf: 1 + choice & 0x1F, limits)
  require(whole == parts, "pieces of \(1 + choice & 0x1F) bytes give a different result")
}

/// The result of parsing a request.
private struct FoundRequest: Equatable {
  var head: HTTPHead?
  var body: [UInt8] = []
  var isComplete = false
  var fault: HTTPFault?
}

private func readConnection(
  _ bytes: [UInt8], inPiecesOf size: Int, _ limits: HTTPRequestReader.Limits
) -> [FoundRequest] {
  var reader = HTTPRequestReader(limits)
  var found: [FoundRequest] = []
  var rest = bytes[...]
  var bodyCount = 0
  while true {
    let event = reader.next()
    if let last = found.last, last.fault != nil {
      require(event == .more, "an event after a fault")
    }
    switch event {
    case .begun:
      require(found.last?.isComplete ?? true, "a request begins within another")
      found.append(FoundRequest())
    case .head(let head):
      require((try? head.check()) != nil, "a bad head")
      require(HTTPField.isToken(head.method), "a method that is not a token")
      require(
        !head.target.isEmpty && head.target.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F },
        "an invalid target")
      require(head.fields.count <= limits.fields, "more headers than are allowed")
      found[found.count - 1].head = head
    case .body(let part):
      require(!part.isEmpty, "an empty part")
      bodyCount += part.count
      found[found.count - 1].body += part
    case .end:
      let request = found[found.count - 1]
      let size = (request.head ?? HTTPHead()).bodySize
      require(size.map { $0 == request.body.count } ?? true, "a body of a different length")
      found[found.count - 1].isComplete = true
    case .fault(let fault):
      require((400...599).contains(fault.status), "a fault without an error status")
      if found.last?.isComplete ?? true { found.append(FoundRequest()) }
      found[found.count - 1].fault = fault
    case .more:
      require(reader.pendingCount <= limits.head + size, "more bytes are kept than a head may have")
      if rest.isEmpty {
        require(bodyCount <= bytes.count, "more bytes than were sent")
        return found
      }
      reader.feed(rest.prefix(size))
      rest = rest.dropFirst(size)
    }
  }
}
