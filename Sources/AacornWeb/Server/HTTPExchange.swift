import AacornSystem

/// One request and its answer, shared by the server's thread and all others.
///
/// Only the server's thread reads the request and sends the answer. In between the connection may
/// be suspended: then nothing happens to it until someone resumes it, so any thread that holds the
/// lock and sees the phase `suspended` may use the connection.
final class HTTPExchange: Sendable {
  private enum Phase {
    /// The server's thread is handling it, or waiting for the client.
    case active
    case suspended
    case ended
  }

  private struct State: Sendable {
    /// Used only under the lock, and not after the phase `ended`.
    let connection: any HTTPConnection
    var request = HTTPRequest()
    var phase = Phase.active
    /// Whether the headers have come.
    var hasBegun = false
    /// The expected size of the body in bytes.
    var bodySize = 0
    /// The largest allowed size of the body in bytes.
    var bodyLimit = 0
    /// Bytes reserved for it.
    var heldCount = 0
    /// Whether the handler has been called.
    var isDispatched = false
    /// Bytes of the body received, including those beyond the limit.
    var receivedCount = 0
    /// Whether the system probes a silent client.
    var isProbed = false
    /// Whether the request was read to its end.
    var isSettled = false
    var response: HTTPResponse?
    var isAnswering = false
    var stream: HTTPStream?
    /// The connection is to be closed as soon as the server's thread sees it.
    var isDropped = false
    var deadline = Int64.max
    /// The answer given then; nil for the server's own.
    var lateResponse: HTTPResponse?
  }

  private let state: Lock<State>
  private let options: HTTPServer.Options
  /// The number of its connection's place.
  let place: Int

  /// Creates an exchange when a request has begun to arrive.
  init(_ connection: any HTTPConnection, _ place: Int, _ options: HTTPServer.Options) {
    state = Lock(State(connection: connection))
    self.place = place
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

  /// Makes the server's thread look at the connection again.
  func resume() { state.withLock { Self.resume(&$0) } }

  /// Makes the server's thread close the connection without starting an answer.
  func drop() {
    state.withLock { state in
      state.isDropped = true
      Self.resume(&state)
    }
  }

  /// Whether an answer is being sent that will end, unlike a stream.
  var isBeingAnswered: Bool {
    state.withLock { state in
      if state.phase == .ended { return false }
      if state.response?.body.count != nil { return true }
      return state.isAnswering && state.stream == nil
    }
  }

  /// Whether it is suspended until it is answered, which has a deadline.
  var isWaitingForAnswer: Bool {
    state.withLock { $0.phase == .suspended && !$0.isAnswering }
  }

  /// Detects a client that is gone and an answer that is late; called periodically.
  func check(at now: Int64) {
    state.withLock { state in
      guard state.phase == .suspended else { return }
      let presence = state.connection.presence
      // A client that sends nothing more may still wait for an answer. Whether it listens to a
      // silent stream cannot be known, and that may last forever.
      if presence == .gone || (presence == .finished && state.isAnswering) {
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
    state.connection.resume()
  }

  // MARK: The server's thread

  /// What to do with a request whose body is complete, or whose connection was resumed.
  enum Turn {
    /// Call the handler, then look again.
    case dispatch(HTTPRequest)
    case answer(HTTPResponse, to: HTTPRequest)
    /// Do nothing until the request was read to its end, and then look again.
    case settle
    /// Do nothing for now; the connection is suspended.
    case wait
    case close
  }

  /// Whether the headers have come.
  var hasBegun: Bool { state.withLock(\.hasBegun) }

  /// Starts a request whose headers have arrived, with its body's announced and largest size.
  func begin(_ request: HTTPRequest, bodySize: Int, bodyLimit: Int) {
    state.withLock { state in
      state.hasBegun = true
      state.request = request
      state.bodySize = bodySize
      state.bodyLimit = bodyLimit
    }
  }

  /// The request, without a body that was passed on.
  var request: HTTPRequest { state.withLock(\.request) }

  /// Records that this many bytes are reserved for the body.
  func hold(_ count: Int) { state.withLock { $0.heldCount = count } }

  var heldCount: Int { state.withLock(\.heldCount) }

  /// Takes a part of the body; false if the client continues far beyond the limit.
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
      // Reading to the end yields an answer instead of a broken connection.
      return state.receivedCount - state.bodyLimit <= 1 << 20
    }
  }

  func nextTurn() -> Turn {
    state.withLock { state in
      if state.receivedCount > state.bodyLimit {
        return .answer(options.tooLarge(state.request.path), to: state.request)
      }
      if let response = state.response, !state.isAnswering {
        state.isAnswering = true
        state.response = nil
        return .answer(response, to: state.request)
      }
      // A client that is owed an answer gets it, even while the server ends.
      if state.isDropped { return .close }
      if !state.isDispatched {
        state.isDispatched = true
        state.deadline = System.nanoseconds + options.answerTimeout.nanoseconds
        let request = state.request
        state.request.body = []
        return .dispatch(request)
      }
      if !state.isSettled {
        // A connection that is suspended while the library still reads is read when it resumes, and
        // if the client has finished sending, it would then be closed instead of answered.
        state.isSettled = true
        return .settle
      }
      Self.suspend(&state)
      return .wait
    }
  }

  /// Suspends the connection; false if it must be closed.
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
      state.connection.probeSilence()
    }
    state.connection.suspend()
  }

  /// Remembers the answering stream, to tell it when the client is gone.
  func setStream(_ stream: HTTPStream) { state.withLock { $0.stream = stream } }

  /// Ends the request, whether it was answered or not.
  func end() {
    let (stream, response) = state.withLock { state in
      state.phase = .ended
      defer {
        state.stream = nil
        state.response = nil
      }
      return (state.stream, state.response)
    }
    stream?.close()
    if case .stream(let unsent)? = response?.body { unsent.close() }
  }
}
