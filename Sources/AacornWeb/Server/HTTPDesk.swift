import AacornSystem
import CAacornMicroHTTPD

/// Receives the library's callbacks, and keeps track of pending requests.
final class HTTPDesk: Sendable {
  private struct State {
    var exchanges: [ObjectIdentifier: HTTPExchange] = [:]
    /// The reserved size of these requests' bodies, in bytes.
    var heldBodyCount = 0
    var isClosed = false
    /// There are no requests, so no clients are checked.
    var isIdle = false
    /// No client waits for an answer, so clients are checked less often.
    var isCalm = false
  }

  let options: HTTPServer.Options
  let handler: HTTPServer.Handler
  let places: HTTPPlaces
  let farewells = HTTPFarewells()
  private let state = Lock(State())
  let attention = Semaphore()
  /// Signaled when a request ends while the desk closes.
  private let departure = Semaphore()

  init(options: HTTPServer.Options, handler: @escaping HTTPServer.Handler) {
    self.options = options
    self.handler = handler
    // A client that is sent a file takes two descriptors, and the program needs some, too.
    placeCount = max(1, min(options.connectionLimit, max(8, (System.descriptorLimit - 64) / 2)))
    places = HTTPPlaces(
      HTTPPlaces.Limits(
        count: placeCount, countPerNeighborhood: options.connectionLimitPerAddress,
        headers: max(0, options.headerTimeout.nanoseconds),
        idle: max(0, options.idleTimeout.nanoseconds)))
  }

  /// The most clients at a time.
  let placeCount: Int

  /// Accepts no further requests, ends the waiting ones, and gives those with an answer one second
  /// to receive it.
  func close() {
    let exchanges = state.withLock { state in
      state.isClosed = true
      return Array(state.exchanges.values)
    }
    attention.signal()
    farewells.close()
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

  /// Nanoseconds for clients to receive answers when the server ends.
  private static let farewell: Int64 = 1_000_000_000

  /// Cuts off clients whose time is up, and checks suspended connections, whose disconnected
  /// clients and deadlines the library does not notice; runs on its own thread until the desk is
  /// closed.
  func watch() {
    while true {
      let exchanges: [HTTPExchange]? = state.withLock { state in
        state.isIdle = false
        state.isCalm = false
        return state.isClosed ? nil : Array(state.exchanges.values)
      }
      guard let exchanges else { return }
      let now = System.nanoseconds
      let next = places.cutLate(at: now)
      for exchange in exchanges { exchange.check(at: now) }
      let isDraining = farewells.drain(at: now)
      // One more millisecond, so that the time is up then.
      let rest = next == .max ? Self.longPause : Int((next - now) / 1_000_000) + 1
      _ = attention.wait(milliseconds: min(rest, pause(), isDraining ? 20 : .max))
    }
  }

  private static let longPause = 3_600_000

  /// Milliseconds until waiting clients must be checked again.
  private func pause() -> Int {
    state.withLock { state in
      if state.exchanges.isEmpty {
        state.isIdle = true
        return Self.longPause
      }
      if state.exchanges.values.contains(where: \.isWaitingForAnswer) { return 250 }
      // Clients of a stream have no deadline; only their leaving must be noticed.
      state.isCalm = true
      return 2000
    }
  }

  /// Wakes the watching thread if something requires it.
  func note(_ consequence: HTTPPlaces.Consequence) {
    if !consequence.isEmpty { attention.signal() }
  }

  /// Notes that there is a request, so that its client is checked.
  func noteExchange() {
    let wasIdle = state.withLock { state in
      defer { state.isIdle = false }
      return state.isIdle
    }
    if wasIdle { attention.signal() }
  }

  /// Notes that a client waits for an answer.
  func noteWaiting() {
    let wasCalm = state.withLock { state in
      defer { state.isCalm = false }
      return state.isCalm
    }
    if wasCalm { attention.signal() }
  }

  /// Registers a request; false if no more are accepted.
  func enlist(_ exchange: HTTPExchange) -> Bool {
    state.withLock { state in
      if !state.isClosed { state.exchanges[ObjectIdentifier(exchange)] = exchange }
      return !state.isClosed
    }
  }

  /// Reserves this many bytes for the body of a request until it is over; false if not enough are
  /// left.
  func hold(_ count: Int, for exchange: HTTPExchange) -> Bool {
    state.withLock { state in
      if count == 0 { return true }
      let limit = max(options.heldBodyLimit, options.bodyLimit)
      if state.heldBodyCount + count > limit { return false }
      state.heldBodyCount += count
      exchange.hold(count)
      return true
    }
  }

  // MARK: Callbacks, all on the library's thread

  private static func desk(_ context: UnsafeMutableRawPointer) -> HTTPDesk {
    unsafe Unmanaged<HTTPDesk>.fromOpaque(context).takeUnretainedValue()
  }

  static let connected: aacorn_mhd_connected = { context, connection, place, what in
    guard let context = unsafe context, let connection = unsafe connection,
      let place = unsafe place
    else { return }
    let desk = unsafe desk(context)
    if what == UInt32(AACORN_MHD_CONNECTION_STARTED) {
      let socket = unsafe aacorn_mhd_socket(connection)
      let (number, consequence) = desk.places.enter(
        socket, from: unsafe aacorn_mhd_neighborhood(connection), at: System.nanoseconds)
      unsafe place.pointee = UnsafeMutableRawPointer(bitPattern: number)
      desk.note(consequence)
    } else {
      let number = unsafe Int(bitPattern: place.pointee)
      desk.places.leave(number)
      let socket = unsafe aacorn_mhd_socket(connection)
      if desk.farewells.leave(number, socket, at: System.nanoseconds) { desk.attention.signal() }
    }
  }

  static let begun: aacorn_mhd_begun = { context, target, connection in
    guard let context = unsafe context, let target = unsafe target,
      let connection = unsafe connection
    else { return nil }
    let desk = unsafe desk(context)
    let number = unsafe Int(bitPattern: aacorn_mhd_place(connection))
    let words = unsafe text(target)
    let size = unsafe aacorn_mhd_hide_query(target)
    let exchange = unsafe HTTPExchange(connection, words, size, number, desk.options)
    desk.note(desk.places.noteRequest(number, at: System.nanoseconds))
    return unsafe Unmanaged.passRetained(exchange).toOpaque()
  }

  static let access: aacorn_mhd_access = {
    context, connection, target, method, version, upload, uploadSize, request in
    guard let context = unsafe context, let connection = unsafe connection,
      let uploadSize = unsafe uploadSize, let known = unsafe request?.pointee
    else { return UInt32(AACORN_MHD_NO) }
    let desk = unsafe desk(context)
    let exchange = unsafe Unmanaged<HTTPExchange>.fromOpaque(known).takeUnretainedValue()
    let isFine: Bool
    if !exchange.hasBegun {
      isFine = unsafe desk.begin(exchange, method, target, version, on: connection)
    } else if unsafe uploadSize.pointee > 0 {
      let part = unsafe UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee)
      isFine = unsafe exchange.receive(part)
      unsafe uploadSize.pointee = 0
    } else {
      isFine = unsafe desk.proceed(with: exchange, on: connection)
    }
    return UInt32(isFine ? AACORN_MHD_YES : AACORN_MHD_NO)
  }

  static let completed: aacorn_mhd_completed = { context, _, request, _ in
    guard let context = unsafe context, let known = unsafe request?.pointee else { return }
    unsafe request?.pointee = nil
    let desk = unsafe desk(context)
    let exchange = unsafe Unmanaged<HTTPExchange>.fromOpaque(known).takeRetainedValue()
    let isClosing = desk.state.withLock { state in
      if state.exchanges.removeValue(forKey: ObjectIdentifier(exchange)) != nil {
        state.heldBodyCount -= exchange.heldCount
      }
      return state.isClosed
    }
    exchange.end()
    desk.note(desk.places.noteRest(exchange.place, at: System.nanoseconds))
    if isClosing { desk.departure.signal() }
  }

  static func text(_ start: UnsafePointer<CChar>?) -> String {
    guard let start = unsafe start else { return "" }
    return unsafe String(cString: start)
  }
}
