import AacornSystem

/// The part of a server without a network: it admits clients, and tracks the connections and the
/// pending requests.
///
/// A carrier passes the connections of clients to it, and calls it on one thread at a time, the
/// server's thread.
final class RequestDispatcher: Sendable {
  private struct State {
    /// The pending requests by the slot number of their client.
    var exchanges: [Int: HTTPExchange] = [:]
    /// The reserved size of the bodies of all pending requests, in bytes.
    var heldBodyCount = 0
    /// The part of `heldBodyCount` for long bodies.
    var heldLongBodyCount = 0
    var isClosed = false
    /// Whether the dispatcher has no requests, so that no clients are checked.
    var isIdle = false
    /// Whether no client waits for a response, so that clients are checked less often.
    var hasNoWaitingClient = false
  }

  let options: HTTPServer.Options
  let handler: HTTPServer.Handler
  let connections: ConnectionTable
  let limiter: ConnectionLimiter
  /// `idleTimeout` in nanoseconds.
  let idle: Int64
  private let state = Lock(State())
  private let wake = Semaphore()
  /// Signaled when a request ends while the dispatcher closes.
  private let requestEnded = Semaphore()

  init(_ options: HTTPServer.Options, _ handler: @escaping HTTPServer.Handler) {
    let connections = ConnectionTable()
    self.connections = connections
    self.options = options
    self.handler = handler
    idle = max(1, options.idleTimeout.nanoseconds)
    // A client that receives a file needs two descriptors, and the program needs some, too.
    maxClientCount = max(1, min(options.connectionLimit, max(8, (System.descriptorLimit - 64) / 2)))
    limiter = ConnectionLimiter(
      ConnectionLimiter.Limits(
        count: maxClientCount, countPerNeighborhood: options.connectionLimitPerAddress,
        headers: max(0, options.headerTimeout.nanoseconds),
        idle: max(0, options.idleTimeout.nanoseconds)),
      disconnect: { connections.disconnect($0) }, hasFinished: { connections.hasFinished($0) },
      deadlineAdvanced: { [wake] in wake.signal() })
  }

  /// The maximum number of simultaneous clients.
  let maxClientCount: Int

  /// Accepts no further requests, and drops the waiting ones.
  ///
  /// Clients that are receiving a response have one second to receive it.
  func close() {
    let exchanges = state.withLock { state in
      state.isClosed = true
      return Array(state.exchanges.values)
    }
    wake.signal()
    let answered = exchanges.filter(\.isBeingAnswered)
    for exchange in exchanges where !exchange.isBeingAnswered { exchange.drop() }
    let deadline = System.nanoseconds + Self.drainTime
    while answered.contains(where: \.isBeingAnswered) {
      let rest = deadline - System.nanoseconds
      if rest <= 0 { break }
      _ = requestEnded.wait(milliseconds: Int(rest / 1_000_000) + 1)
    }
    for exchange in exchanges { exchange.drop() }
  }

  /// The time for clients to receive responses when the server ends, in nanoseconds.
  private static let drainTime: Int64 = 1_000_000_000

  /// Disconnects clients whose deadline has passed, and checks suspended exchanges.
  ///
  /// No other thread detects that the response of a suspended exchange is late. Runs on a separate
  /// thread until the dispatcher is closed.
  func watch() {
    while true {
      let exchanges: [HTTPExchange]? = state.withLock { state in
        state.isIdle = false
        state.hasNoWaitingClient = false
        return state.isClosed ? nil : Array(state.exchanges.values)
      }
      guard let exchanges else { return }
      let now = System.nanoseconds
      let next = limiter.disconnectExpired(at: now)
      for exchange in exchanges { exchange.check(at: now) }
      // One more millisecond, so that the deadline has passed after the wait.
      let rest = next == .max ? Self.longPause : Int((next - now) / 1_000_000) + 1
      _ = wake.wait(milliseconds: min(rest, pause()))
    }
  }

  private static let longPause = 3_600_000

  /// Returns the number of milliseconds until waiting clients must be checked again.
  private func pause() -> Int {
    state.withLock { state in
      if state.exchanges.isEmpty {
        state.isIdle = true
        return Self.longPause
      }
      if state.exchanges.values.contains(where: \.isWaitingForAnswer) { return 250 }
      // Clients of a stream have no deadline; only their disconnection must be detected.
      state.hasNoWaitingClient = true
      return 2000
    }
  }

  /// Records that there is a request, so that its client is checked.
  func recordExchange() {
    let wasIdle = state.withLock { state in
      defer { state.isIdle = false }
      return state.isIdle
    }
    if wasIdle { wake.signal() }
  }

  /// Records that a client waits for a response.
  func recordWaitingClient() {
    let hadNoWaitingClient = state.withLock { state in
      defer { state.hasNoWaitingClient = false }
      return state.hasNoWaitingClient
    }
    if hadNoWaitingClient { wake.signal() }
  }

  /// Registers a request.
  ///
  /// Returns false if no more are accepted.
  func register(_ exchange: HTTPExchange) -> Bool {
    state.withLock { state in
      if !state.isClosed { state.exchanges[exchange.slot] = exchange }
      return !state.isClosed
    }
  }

  /// Reserves this many bytes for the body of a request until it ends.
  ///
  /// Returns false if the limit is exceeded. Long bodies, such as pieces of uploads, leave room for
  /// short ones: a client that sends its body slowly holds the room for minutes.
  func hold(_ count: Int, for exchange: HTTPExchange) -> Bool {
    state.withLock { state in
      if count == 0 { return true }
      let isLong = count > Self.shortBodyLimit
      let limit = max(options.heldBodyLimit, options.bodyLimit)
      let longLimit = max(limit - limit / 4, options.bodyLimit)
      if state.heldBodyCount + count > limit { return false }
      if isLong && state.heldLongBodyCount + count > longLimit { return false }
      state.heldBodyCount += count
      if isLong { state.heldLongBodyCount += count }
      exchange.hold(count)
      return true
    }
  }

  /// The maximum size of a short body in bytes.
  private static let shortBodyLimit = 4 * 1024

  // MARK: The server's thread

  /// Ends a request, with or without a response.
  func complete(_ exchange: HTTPExchange) {
    let isClosing = state.withLock { state in
      if state.exchanges.removeValue(forKey: exchange.slot) != nil {
        let count = exchange.heldCount
        state.heldBodyCount -= count
        if count > Self.shortBodyLimit { state.heldLongBodyCount -= count }
      }
      return state.isClosed
    }
    exchange.end()
    limiter.recordRequestEnd(exchange.slot, at: System.nanoseconds)
    if isClosing { requestEnded.signal() }
  }
}

// The connections of the clients, on the server's thread.
extension RequestDispatcher {
  /// Whether no more clients may be accepted at the moment.
  ///
  /// A new client displaces another one, and both are connected for a moment. So up to 64 clients
  /// more than the maximum are accepted.
  var isFull: Bool { connections.count >= maxClientCount + 64 }

  /// Adds a client.
  func accept(_ link: any ByteLink, from address: PeerAddress, through carrier: any ByteCarrier) {
    let connection = connections.add { number in
      ClientConnection(number, link, address, self, carrier)
    }
    connection.start()
  }

  /// The maximum time between checks for idle connections, in nanoseconds.
  ///
  /// No connection can become idle for too long within this time after its last activity.
  var checkInterval: Int64 { min(idle, ClientConnection.drainTimeout) }

  /// Closes connections that were idle for too long.
  ///
  /// Returns the time at which the next connection will have been idle for too long.
  func checkTimes(at now: Int64) -> Int64 {
    var next = Int64.max
    for connection in connections.all {
      let deadline = connection.deadline(idle: idle)
      if deadline <= now {
        connection.close()
      } else {
        next = min(next, deadline)
      }
    }
    return next
  }

  /// Closes all connections.
  func closeConnections() {
    for connection in connections.all { connection.close() }
  }
}
