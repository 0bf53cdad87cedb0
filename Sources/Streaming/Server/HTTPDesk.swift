import CMicroHTTPD
import Platform

/// Where requests arrive: what the library calls back, and who waits.
final class HTTPDesk: Sendable {
  private struct State {
    var exchanges: [ObjectIdentifier: HTTPExchange] = [:]
    var isClosed = false
    /// Nobody waits for an answer, so clients are looked after less often.
    var isCalm = false
  }

  private let options: HTTPServer.Options
  private let handler: HTTPServer.Handler
  private let state = Lock(State())
  private let attention = Semaphore()
  /// Signalled when a request is over while the desk closes.
  private let departure = Semaphore()

  init(options: HTTPServer.Options, handler: @escaping HTTPServer.Handler) {
    self.options = options
    self.handler = handler
  }

  /// Takes no further requests, has those that wait end, and gives those that have an answer
  /// a second to take it.
  func close() {
    let exchanges = state.withLock { state in
      state.isClosed = true
      return Array(state.exchanges.values)
    }
    attention.signal()
    let answered = exchanges.filter(\.isBeingAnswered)
    for exchange in exchanges where !exchange.isBeingAnswered { exchange.drop() }
    let deadline = System.nanoseconds + Self.farewell
    while answered.contains(where: \.isBeingAnswered) {
      let rest = deadline - System.nanoseconds
      if rest <= 0 { break }
      _ = departure.wait(milliseconds: Int(rest / 1_000_000) + 1)
    }
    for exchange in exchanges { exchange.drop() }
  }

  /// Nanoseconds for clients to take answers when the server ends.
  private static let farewell: Int64 = 1_000_000_000

  /// Looks after connections that are suspended, whose clients and delays the library does not
  /// notice; runs on a thread of its own until the desk is closed.
  func watch() {
    while true {
      let exchanges: [HTTPExchange]? = state.withLock { state in
        state.isCalm = false
        return state.isClosed ? nil : Array(state.exchanges.values)
      }
      guard let exchanges else { return }
      let now = System.nanoseconds
      for exchange in exchanges { exchange.check(at: now) }
      _ = attention.wait(milliseconds: pause())
    }
  }

  /// Milliseconds until clients are to be looked after again.
  private func pause() -> Int {
    state.withLock { state in
      if state.exchanges.isEmpty { return 3_600_000 }
      if state.exchanges.values.contains(where: \.isWaitingForAnswer) { return 250 }
      // Those who listen to a stream have no deadline, and only their leaving is to be noticed.
      state.isCalm = true
      return 2000
    }
  }

  /// Somebody waits for an answer.
  private func noteWaiting() {
    let wasCalm = state.withLock { state in
      defer { state.isCalm = false }
      return state.isCalm
    }
    if wasCalm { attention.signal() }
  }

  // MARK: Callbacks, all on the library's thread

  static let access: aacorn_mhd_access = {
    context, connection, url, method, _, upload, uploadSize, request in
    guard let context = unsafe context, let connection = unsafe connection,
      let uploadSize = unsafe uploadSize, let request = unsafe request
    else { return UInt32(AACORN_MHD_NO) }
    let desk = unsafe Unmanaged<HTTPDesk>.fromOpaque(context).takeUnretainedValue()
    let isFine: Bool
    if let known = unsafe request.pointee {
      let exchange = unsafe Unmanaged<HTTPExchange>.fromOpaque(known).takeUnretainedValue()
      if unsafe uploadSize.pointee > 0 {
        let part = unsafe UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee)
        isFine = unsafe exchange.receive(part)
        unsafe uploadSize.pointee = 0
      } else {
        isFine = unsafe desk.proceed(with: exchange, on: connection)
      }
    } else {
      let target = unsafe text(url)
      let method = unsafe text(method)
      isFine = unsafe desk.begin(method, target, on: connection, remembering: request)
    }
    return UInt32(isFine ? AACORN_MHD_YES : AACORN_MHD_NO)
  }

  static let completed: aacorn_mhd_completed = { context, _, request, _ in
    guard let context = unsafe context, let request = unsafe request,
      let known = unsafe request.pointee
    else { return }
    unsafe request.pointee = nil
    let desk = unsafe Unmanaged<HTTPDesk>.fromOpaque(context).takeUnretainedValue()
    let exchange = unsafe Unmanaged<HTTPExchange>.fromOpaque(known).takeRetainedValue()
    let isClosing = desk.state.withLock { state in
      state.exchanges[ObjectIdentifier(exchange)] = nil
      return state.isClosed
    }
    exchange.end()
    if isClosing { desk.departure.signal() }
  }

  private static func text(_ start: UnsafePointer<CChar>?) -> String {
    guard let start = unsafe start else { return "" }
    return unsafe String(cString: start)
  }

  // MARK: The course of a request

  /// The headers of a request have come.
  private func begin(
    _ method: String, _ target: String, on connection: OpaquePointer,
    remembering place: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  ) -> Bool {
    var client = [CChar](repeating: 0, count: 64)
    unsafe aacorn_mhd_client(connection, &client, client.count)
    let components = HTTPTarget.components(of: target)
    let request = HTTPRequest(
      method: method, components: components ?? [],
      query: unsafe HTTPFieldList.query(of: connection),
      headers: unsafe HTTPFieldList.headers(of: connection),
      remoteAddress: String(decoding: client.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))
    let exchange = unsafe HTTPExchange(connection, request, options)
    let wasAlone: Bool? = state.withLock { state in
      if state.isClosed { return nil }
      state.exchanges[ObjectIdentifier(exchange)] = exchange
      return state.exchanges.count == 1
    }
    guard let wasAlone else { return false }
    // From here on it is a client, and not somebody who only takes a place.
    unsafe aacorn_mhd_set_idle(connection, UInt32(clamping: options.idleSeconds))
    unsafe place.pointee = Unmanaged.passRetained(exchange).toOpaque()
    if wasAlone { attention.signal() }

    if components == nil {
      return unsafe send(options.impossible(target), to: request, of: exchange, on: connection)
    }
    if let refusal = options.admission?(request) {
      return unsafe send(refusal, to: request, of: exchange, on: connection)
    }
    let announced = request.header("Content-Length").flatMap { Int($0) } ?? 0
    if announced > options.bodyLimit {
      return unsafe send(options.tooLarge(request.path), to: request, of: exchange, on: connection)
    }
    return true
  }

  /// A request has come whole, or its connection was resumed.
  private func proceed(with exchange: HTTPExchange, on connection: OpaquePointer) -> Bool {
    while true {
      switch exchange.nextTurn(answerSeconds: options.answerSeconds) {
      case .dispatch(let request): handler(request, HTTPResponder(exchange: exchange))
      case .answer(let response, let request):
        return unsafe send(response, to: request, of: exchange, on: connection)
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
