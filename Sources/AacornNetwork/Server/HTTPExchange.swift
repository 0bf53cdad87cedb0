import AacornSystem

/// A request with its response, shared by the server's thread and all others.
///
/// Only the server's thread reads the request and sends the response. In between, the exchange may
/// be suspended, until any thread resumes it.
final class HTTPExchange: Sendable {
  private enum Phase {
    /// The server's thread handles the exchange, or waits for the client.
    case active
    case suspended
    case ended
  }

  private struct State: Sendable {
    /// The connection, until the request ends: a responder may be kept, but keeps no server.
    var connection: ClientConnection?
    var request = HTTPRequest()
    var phase = Phase.active
    /// Whether the headers have been received.
    var hasBegun = false
    /// The expected size of the body in bytes.
    var bodySize = 0
    /// The maximum size of the body in bytes.
    var bodyLimit = 0
    /// The number of bytes reserved for the body.
    var heldCount = 0
    /// Whether the handler has been called.
    var isDispatched = false
    /// The number of received bytes of the body, including bytes beyond the limit.
    var receivedCount = 0
    /// Whether the system probes a silent client.
    var isProbed = false
    var response: HTTPResponse?
    var isAnswering = false
    var stream: HTTPStream?
    /// Whether the server's thread must close the connection as soon as possible.
    var isDropped = false
    var deadline = Int64.max
    /// The response at the deadline; nil for the server's default.
    var lateResponse: HTTPResponse?
  }

  private let state: Lock<State>
  private let options: HTTPServer.Options
  /// The slot number of the connection in the `ConnectionLimiter`.
  let slot: Int

  /// Creates an exchange for a request whose first bytes have been received.
  init(_ connection: ClientConnection, _ slot: Int, _ options: HTTPServer.Options) {
    state = Lock(State(connection: connection))
    self.slot = slot
    self.options = options
  }

  // MARK: Any thread

  func respond(_ response: HTTPResponse) {
    let isTaken = state.withLock { state in
      guard state.response == nil, !state.isAnswering, state.phase != .ended else { return false }
      state.response = response
      Self.resume(&state)
      return true
    }
    if !isTaken, case .stream(let stream) = response.body { stream.close() }
  }

  func setDeadline(after time: Duration, _ response: HTTPResponse) {
    let deadline = System.nanoseconds + max(0, time.nanoseconds)
    state.withLock { state in
      state.deadline = deadline
      state.lateResponse = response
    }
  }

  var isDone: Bool {
    state.withLock {
      $0.response != nil || $0.isAnswering || $0.isDropped || $0.phase == .ended
    }
  }

  /// Makes the server's thread continue with the connection.
  func resume() { state.withLock { Self.resume(&$0) } }

  /// Makes the server's thread close the connection without starting a response.
  func drop() {
    state.withLock { state in
      state.isDropped = true
      Self.resume(&state)
    }
  }

  /// Whether a finite response, not a stream, is being sent or is ready to be sent.
  var isBeingAnswered: Bool {
    state.withLock { state in
      if state.phase == .ended { return false }
      if state.response?.body.count != nil { return true }
      return state.isAnswering && state.stream == nil
    }
  }

  /// Whether the exchange is suspended because its response, which has a deadline, is not ready.
  var isWaitingForAnswer: Bool {
    state.withLock { $0.phase == .suspended && !$0.isAnswering }
  }

  /// Detects a disconnected client and a late response.
  ///
  /// Called at intervals.
  func check(at now: Int64) {
    state.withLock { state in
      guard state.phase == .suspended else { return }
      // A client that has ended its input may still wait for a response. It is unknown whether such
      // a client reads a silent stream, which may last forever, so it is treated as disconnected.
      if state.isAnswering, state.connection?.hasEnded == true {
        state.isDropped = true
      } else if !state.isAnswering, now >= state.deadline {
        state.response = state.lateResponse ?? options.tooLate(state.request.path)
      } else {
        return
      }
      Self.resume(&state)
    }
  }

  private static func resume(_ state: inout State) {
    guard state.phase == .suspended else { return }
    state.phase = .active
    state.connection?.resume()
  }

  // MARK: The server's thread

  /// The next step for a request whose body is complete, or whose connection was resumed.
  enum NextStep {
    /// Call the handler, then determine the next step again.
    case dispatch(HTTPRequest)
    case answer(HTTPResponse, to: HTTPRequest)
    /// Wait until the exchange resumes the connection.
    case wait
    case close
  }

  /// Whether the headers have been received.
  var hasBegun: Bool { state.withLock(\.hasBegun) }

  /// Starts a request whose headers have been received, with the announced and the maximum size of
  /// its body.
  func begin(_ request: HTTPRequest, bodySize: Int, bodyLimit: Int) {
    state.withLock { state in
      state.hasBegun = true
      state.request = request
      state.bodySize = bodySize
      state.bodyLimit = bodyLimit
    }
  }

  /// The request, without a body that was passed to the handler.
  var request: HTTPRequest { state.withLock(\.request) }

  /// Records the number of bytes reserved for the body.
  func hold(_ count: Int) { state.withLock { $0.heldCount = count } }

  var heldCount: Int { state.withLock(\.heldCount) }

  /// Appends a part of the body.
  ///
  /// Returns false if the client continues far beyond the limit.
  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    state.withLock { state in
      state.receivedCount += bytes.count
      if state.receivedCount <= state.bodyLimit {
        let capacity = state.request.body.capacity
        if state.receivedCount > capacity {
          // Memory is reserved only as bytes arrive, and never beyond the announced size.
          state.request.body.reserveCapacity(
            max(state.receivedCount, min(state.bodySize, 2 * capacity)))
        }
        unsafe state.request.body.append(contentsOf: bytes)
      } else {
        state.request.body = []
      }
      // Reading up to 1 MiB more yields a response instead of a broken connection.
      return state.receivedCount - state.bodyLimit <= 1 << 20
    }
  }

  func nextTurn() -> NextStep {
    state.withLock { state in
      if state.receivedCount > state.bodyLimit {
        return .answer(options.tooLarge(state.request.path), to: state.request)
      }
      if let response = state.response, !state.isAnswering {
        state.isAnswering = true
        state.response = nil
        return .answer(response, to: state.request)
      }
      // A client whose response is ready receives it, even while the server stops.
      if state.isDropped { return .close }
      if !state.isDispatched {
        state.isDispatched = true
        state.deadline = System.nanoseconds + options.answerTimeout.nanoseconds
        let request = state.request
        state.request.body = []
        return .dispatch(request)
      }
      Self.suspend(&state)
      return .wait
    }
  }

  /// Suspends the exchange.
  ///
  /// Returns false if it must be closed.
  func suspend() -> Bool {
    state.withLock { state in
      if state.isDropped || state.phase == .ended { return false }
      Self.suspend(&state)
      return true
    }
  }

  private static func suspend(_ state: inout State) {
    guard state.phase == .active else { return }
    state.phase = .suspended
    if !state.isProbed {
      state.isProbed = true
      state.connection?.probeSilence()
    }
  }

  /// Stores the stream of the response, to notify it when the client disconnects.
  func setStream(_ stream: HTTPStream) { state.withLock { $0.stream = stream } }

  /// Ends the request, with or without a response.
  func end() {
    // The lock must not be held while the last reference to the connection is released.
    let (stream, response, connection) = state.withLock { state in
      state.phase = .ended
      defer {
        state.connection = nil
        state.stream = nil
        state.response = nil
      }
      return (state.stream, state.response, state.connection)
    }
    _ = connection
    stream?.close()
    if case .stream(let unsent)? = response?.body { unsent.close() }
  }
}

/// Responds to a request, immediately or later, from any thread.
///
/// A request without a response within the server's limit is answered with status 503.
public struct HTTPResponder: Sendable {
  let exchange: HTTPExchange

  /// Sends a response.
  ///
  /// Only the first response counts.
  public func respond(_ response: HTTPResponse) { exchange.respond(response) }

  /// Sends this response if there is no other one within about this time.
  public func respond(after time: Duration, _ response: HTTPResponse) {
    exchange.setDeadline(after: time, response)
  }

  /// Whether a response would be discarded: the request has one already, or the client has
  /// disconnected.
  public var isDone: Bool { exchange.isDone }
}
