import AacornSystem

// The processing of a request, on the server's thread.
extension RequestDispatcher {
  /// Handles the headers of a request.
  func begin(_ exchange: HTTPExchange, _ head: HTTPHead, from address: String) -> HTTPStep {
    let (request, fault) = read(head, from: address)
    var isGuest = false
    var rejection = fault
    if rejection == nil {
      switch options.admission?(request) ?? .asGuest {
      case .asGuest: isGuest = true
      case .asUnauthenticated: break
      case .rejected(let response): rejection = response
      }
    }
    let announced = HTTPRequestRules.bodySize(request.headers)
    let bodyLimit = min(options.bodyLimit, isGuest ? .max : options.unauthenticatedBodyLimit)
    let bodySize = min(announced ?? .max, bodyLimit)
    exchange.begin(request, bodySize: bodySize, bodyLimit: bodyLimit)
    if !register(exchange) { return .close }
    if rejection == nil {
      if let announced, announced > bodyLimit {
        rejection = options.tooLarge(request.path)
      } else if isGuest, !hold(bodySize, for: exchange) {
        // Only bodies of guests are counted. The bodies of unauthenticated clients are short, and
        // must not reduce the memory for guests.
        rejection = options.tooMuch(request.path)
      }
    }
    if let rejection {
      return send(rejection, to: request, of: exchange, isLast: true)
    }
    if isGuest { limiter.admitAsGuest(exchange.slot) }
    recordExchange()
    // Limited to 1e9 s, about 30 years, so that the sum does not overflow.
    let sizeSeconds = min(Double(bodySize) / Double(max(1, options.slowestBodyRate)), 1e9)
    let time = options.bodyTimeout.nanoseconds + Int64(sizeSeconds * 1e9)
    wakeWatch(limiter.setDeadline(exchange.slot, announced == 0 ? nil : System.nanoseconds + time))
    return .readRemainder
  }

  /// Parses the headers.
  ///
  /// Also returns the response if they are invalid.
  private func read(_ head: HTTPHead, from address: String) -> (HTTPRequest, HTTPResponse?) {
    let target = head.target
    let path = target.prefix { $0 != "?" }
    let query = target.dropFirst(path.count + 1)
    let components = HTTPTarget.components(of: String(path))
    let items = HTTPFieldList.query(query, limit: options.queryItemLimit)
    let request = HTTPRequest(
      method: head.method, components: components ?? [], query: items ?? [], headers: head.fields,
      remoteAddress: address)

    var fault: String?
    if let authority = HTTPTarget.authority(of: target),
      authority.lowercased() != request.header("Host")?.lowercased()
    {
      // Otherwise `admission` might use one host, and the handler the other.
      fault = "Its address and its Host header do not match."
    } else if items == nil {
      fault = "Its query has more than \(options.queryItemLimit) items."
    }
    // The end of this request and the start of the next one are then uncertain, too.
    if let fault { return (request, options.malformed(fault, String(path))) }
    return (request, components == nil ? options.impossible(String(path)) : nil)
  }

  /// Responds to bytes that are not a request, or to a request with an unreadable body.
  func refuse(_ fault: HTTPFault, of exchange: HTTPExchange) -> HTTPStep {
    if !exchange.hasBegun {
      exchange.begin(HTTPRequest(method: ""), bodySize: 0, bodyLimit: 0)
      if !register(exchange) { return .close }
    }
    let request = exchange.request
    return send(options.malformed(fault, request.path), to: request, of: exchange, isLast: true)
  }

  /// Continues when a request is complete, or when its connection was resumed.
  func proceed(with exchange: HTTPExchange) -> HTTPStep {
    while true {
      switch exchange.nextTurn() {
      case .dispatch(let request):
        wakeWatch(limiter.setDeadline(exchange.slot, nil))
        handler(request, HTTPResponder(exchange: exchange))
      case .answer(let response, let request): return send(response, to: request, of: exchange)
      case .wait:
        recordWaitingClient()
        return .wait
      case .close: return .close
      }
    }
  }

  private func send(
    _ response: HTTPResponse, to request: HTTPRequest, of exchange: HTTPExchange,
    isLast: Bool = false
  ) -> HTTPStep {
    let response = response.conditioned(by: request)
    guard let body = HTTPBody(response.body, for: exchange) else { return .close }
    var headers = response.sendableHeaders
    for field in [HTTPField("X-Content-Type-Options", "nosniff")] + options.headers
    where headers.first(named: field.name) == nil {
      headers.append(field)
    }
    let status = (200...599).contains(response.status) ? response.status : 500
    return .answer(
      PreparedResponse(
        status: status, headers: headers, body: body, isForHead: request.method == "HEAD",
        isLast: isLast))
  }
}
