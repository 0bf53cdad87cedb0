import AacornSystem

// The processing of a request, on the carrier's thread.
extension ClientConnection {
  /// Handles the headers of a request.
  func begin(_ head: HTTPHead) {
    self.head = head
    let exchange = makeExchange()
    let (request, fault) = read(head)
    var isGuest = false
    var rejection = fault
    if rejection == nil {
      switch options.admission?(request) ?? .asGuest {
      case .asGuest: isGuest = true
      case .asUnauthenticated: break
      case .rejected(let response): rejection = response
      }
    }
    let announced = head.bodySize
    let bodyLimit = min(options.bodyLimit, isGuest ? .max : options.unauthenticatedBodyLimit)
    let bodySize = min(announced ?? .max, bodyLimit)
    exchange.begin(request, bodySize: bodySize, bodyLimit: bodyLimit)
    if !dispatcher.register(exchange) { return close() }
    if rejection == nil {
      if let announced, announced > bodyLimit {
        rejection = options.tooLarge(request.path)
      } else if isGuest, !dispatcher.hold(bodySize, for: exchange) {
        // Only bodies of guests are counted. The bodies of unauthenticated clients are short, and
        // must not reduce the memory for guests.
        rejection = options.tooMuch(request.path)
      }
    }
    if let rejection { return answer(rejection, to: request, of: exchange, isLast: true) }
    if isGuest { dispatcher.limiter.admitAsGuest(slot) }
    dispatcher.recordExchange()
    // Limited to 1e9 s, about 30 years, so that the sum does not overflow.
    let sizeSeconds = min(Double(bodySize) / Double(max(1, options.slowestBodyRate)), 1e9)
    let time = options.bodyTimeout.nanoseconds + Int64(sizeSeconds * 1e9)
    dispatcher.limiter.setDeadline(slot, announced == 0 ? nil : System.nanoseconds + time)
    // RFC 9110 10.1.1. Clients that have sent the body anyway do not need the interim response.
    if head.expectsContinue, reader.pendingCount == 0, announced != 0 {
      send(HTTPResponseHead.continueResponse)
    }
  }

  private func makeExchange() -> HTTPExchange {
    let exchange = HTTPExchange(self, slot, options)
    self.exchange = exchange
    return exchange
  }

  /// Parses the headers.
  ///
  /// Also returns the response if they are invalid.
  private func read(_ head: HTTPHead) -> (HTTPRequest, HTTPResponse?) {
    let target = head.target
    let path = target.prefix { $0 != "?" }
    let query = target.dropFirst(path.count + 1)
    let components = HTTPTarget.components(of: String(path))
    let items = HTTPFieldList.query(query, limit: options.queryItemLimit)
    var request = HTTPRequest(
      method: head.method, components: components ?? [], query: items ?? [], headers: head.fields,
      remoteAddress: address.text)
    request.neighborhood = address.neighborhood

    var fault: HTTPFault?
    if let authority = HTTPTarget.authority(of: target),
      authority.lowercased() != request.header("Host")?.lowercased()
    {
      // Otherwise `admission` might use one host, and the handler the other.
      fault = HTTPFault("Its address and its Host header do not match.")
    } else if items == nil {
      fault = HTTPFault("Its query has more than \(options.queryItemLimit) items.")
    }
    // The end of this request and the start of the next one are then uncertain, too.
    if let fault { return (request, options.malformed(fault, String(path))) }
    return (request, components == nil ? options.impossible(String(path)) : nil)
  }

  /// Responds to bytes that are not a request, or to a request with an unreadable body.
  func refuse(_ fault: HTTPFault) {
    let exchange = exchange ?? makeExchange()
    if !exchange.hasBegun {
      // The reader may find a fault before a request begins; then `head` is the previous one.
      head = HTTPHead()
      exchange.begin(HTTPRequest(method: ""), bodySize: 0, bodyLimit: 0)
      if !dispatcher.register(exchange) { return close() }
    }
    let request = exchange.request
    answer(options.malformed(fault, request.path), to: request, of: exchange, isLast: true)
  }

  /// Continues when a request is complete, or when an exchange has resumed the connection.
  func proceed() {
    guard let exchange else { return }
    while true {
      switch exchange.nextTurn() {
      case .dispatch(let request):
        dispatcher.limiter.setDeadline(slot, nil)
        dispatcher.handler(request, HTTPResponder(exchange: exchange))
      case .answer(let response, let request):
        return answer(response, to: request, of: exchange)
      case .wait:
        dispatcher.recordWaitingClient()
        phase = .waiting
        return
      case .close: return close()
      }
    }
  }

  /// Starts to send a response.
  private func answer(
    _ response: HTTPResponse, to request: HTTPRequest, of exchange: HTTPExchange,
    isLast: Bool = false
  ) {
    let response = response.conditioned(by: request)
    guard let body = HTTPBody(response.body, for: exchange) else { return close() }
    var headers = response.sendableHeaders
    for field in [HTTPField("X-Content-Type-Options", "nosniff")] + options.headers
    where headers.first(named: field.name) == nil {
      headers.append(field)
    }
    phase = .answering
    // Unread bytes of this request could be mistaken for another request.
    outgoing = PendingResponse(
      status: (200...599).contains(response.status) ? response.status : 500, headers, body,
      to: head,
      isLast: isLast || head.isLast || reader.isInsideRequest
        || (hasEnded && reader.pendingCount == 0))
  }

  private var options: HTTPServer.Options { dispatcher.options }
}
