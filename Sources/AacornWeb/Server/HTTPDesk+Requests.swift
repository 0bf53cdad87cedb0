import AacornSystem
import CAacornMicroHTTPD

// The processing of a request, on the library's thread.
extension HTTPDesk {
  /// Handles the headers of a request.
  func begin(
    _ exchange: HTTPExchange, _ method: UnsafePointer<CChar>?, _ target: UnsafePointer<CChar>?,
    _ version: UnsafePointer<CChar>?, on connection: OpaquePointer
  ) -> Bool {
    let isPlain = unsafe aacorn_mhd_is_plain(
      connection, method, target, exchange.targetSize, version)
    let (request, fault) = unsafe read(
      exchange.target, Self.text(method), Self.text(version), isPlain: isPlain != 0,
      from: connection)
    var isGuest = false
    var refusal = fault
    if refusal == nil {
      switch options.admission?(request) ?? .asGuest {
      case .asGuest: isGuest = true
      case .asStranger: break
      case .refused(let response): refusal = response
      }
    }
    let announced = HTTPRequestRules.bodySize(request.headers)
    let bodyLimit = min(options.bodyLimit, isGuest ? .max : options.strangerBodyLimit)
    let bodySize = min(announced ?? .max, bodyLimit)
    exchange.begin(request, bodySize: bodySize, bodyLimit: bodyLimit)
    if !enlist(exchange) { return false }
    if refusal == nil {
      if let announced, announced > bodyLimit {
        refusal = options.tooLarge(request.path)
      } else if isGuest, !hold(bodySize, for: exchange) {
        // A stranger's body is so small that it is not counted, and takes nothing from the guests.
        refusal = options.tooMuch(request.path)
      }
    }
    if let refusal {
      if announced != 0 { farewells.expect(exchange.place) }
      return unsafe send(refusal, to: request, of: exchange, on: connection)
    }
    if isGuest { note(places.letIn(exchange.place)) }
    noteExchange()
    let sizeSeconds = Double(bodySize) / Double(options.slowestBodyRate)
    let time = options.bodyTimeout.nanoseconds + Int64(sizeSeconds * 1e9)
    note(places.setDeadline(exchange.place, bodySize == 0 ? nil : System.nanoseconds + time))
    return true
  }

  /// Parses the headers, and gives the answer if they are invalid.
  private func read(
    _ target: String, _ method: String, _ version: String, isPlain: Bool,
    from connection: OpaquePointer
  ) -> (HTTPRequest, HTTPResponse?) {
    let path = target.prefix { $0 != "?" }
    let query = target.dropFirst(path.count + 1)
    let components = HTTPTarget.components(of: String(path))
    let items = HTTPFieldList.query(query, limit: options.queryItemLimit)
    var client = [CChar](repeating: 0, count: 64)
    unsafe aacorn_mhd_client(connection, &client, client.count)
    let request = HTTPRequest(
      method: method, components: components ?? [], query: items ?? [],
      headers: unsafe HTTPFieldList.headers(of: connection),
      remoteAddress: String(decoding: client.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))

    var fault = HTTPRequestRules.fault(in: request.headers, version: version)
    if !isPlain {
      fault = "Its lines are ambiguous."
    } else if !HTTPRequestRules.isTarget(target) {
      fault = "Its address contains invalid characters."
    } else if let authority = HTTPTarget.authority(of: target),
      authority.lowercased() != request.header("Host")?.lowercased()
    {
      // Otherwise one might be used for admission and the other for the request itself.
      fault = "Its address and its Host header do not match."
    } else if items == nil {
      fault = "Its query has more than \(options.queryItemLimit) items."
    }
    if let fault {
      // It is just as uncertain where the request ends and the next one begins.
      var answer = options.malformed(fault, String(path))
      answer.headers.append(HTTPField("Connection", "close"))
      return (request, answer)
    }
    return (request, components == nil ? options.impossible(String(path)) : nil)
  }

  /// Continues after a request has arrived completely, or its connection was resumed.
  func proceed(with exchange: HTTPExchange, on connection: OpaquePointer) -> Bool {
    while true {
      switch exchange.nextTurn() {
      case .dispatch(let request):
        note(places.setDeadline(exchange.place, nil))
        handler(request, HTTPResponder(exchange: exchange))
      case .answer(let response, let request):
        return unsafe send(response, to: request, of: exchange, on: connection)
      case .settle: return true
      case .wait:
        noteWaiting()
        return true
      case .close: return false
      }
    }
  }

  private func send(
    _ response: HTTPResponse, to request: HTTPRequest, of exchange: HTTPExchange,
    on connection: OpaquePointer
  ) -> Bool {
    let response = response.conditioned(by: request)
    guard let body = unsafe HTTPBody.make(response.body, for: exchange) else { return false }
    var headers = response.sendableHeaders
    for field in [HTTPField("X-Content-Type-Options", "nosniff")] + options.headers
    where headers.first(named: field.name) == nil {
      headers.append(field)
    }
    for field in headers { _ = unsafe aacorn_mhd_add_header(body, field.name, field.value) }
    let status = (200...599).contains(response.status) ? response.status : 500
    return unsafe aacorn_mhd_answer(connection, UInt32(status), body) == UInt32(AACORN_MHD_YES)
  }
}
