import AacornSystem

/// A body that grows while it is sent: events for a page, endless audio.
///
/// Any thread may push. Up to a bound, bytes that the client has not taken yet are kept; if the
/// client falls behind further, `push` says so. A stream is for one response.
public final class HTTPStream: Sendable {
  /// What happened to pushed bytes.
  public enum Outcome: Sendable {
    /// They will be sent.
    case taken
    /// The client is too far behind; none of them was accepted.
    case full
    /// The client is gone, or the stream is finished.
    case closed
  }

  private struct State {
    var bytes: [UInt8] = []
    /// Bytes at the beginning that have been sent already.
    var sentCount = 0
    var isFinished = false
    var isClosed = false
    /// The request that the stream answers, which waits for bytes.
    var exchange: HTTPExchange?
    var isWaiting = false
  }

  private let state = Lock(State())
  private let capacity: Int
  private let whenEmpty: (@Sendable (HTTPStream) -> Void)?

  /// Creates a stream that keeps up to this many bytes for its client.
  ///
  /// `whenEmpty` is called on the server's thread when the client has taken everything; it may push,
  /// and must not wait.
  public init(
    capacity: Int = 64 * 1024, whenEmpty: (@Sendable (HTTPStream) -> Void)? = nil
  ) {
    self.capacity = capacity
    self.whenEmpty = whenEmpty
  }

  /// Whether nothing more can be pushed: the client is gone, or the stream is finished.
  public var isClosed: Bool { state.withLock { $0.isClosed || $0.isFinished } }

  /// Bytes waiting for the client.
  public var pendingByteCount: Int { state.withLock { $0.bytes.count - $0.sentCount } }

  /// Sends bytes, all of them or none.
  @discardableResult
  public func push(_ bytes: [UInt8]) -> Outcome {
    state.withLock { state in
      if state.isClosed || state.isFinished { return .closed }
      if state.bytes.count - state.sentCount + bytes.count > capacity { return .full }
      state.bytes += bytes
      wake(&state)
      return .taken
    }
  }

  /// Sends text as UTF-8.
  @discardableResult
  public func push(_ text: String) -> Outcome { push(Array(text.utf8)) }

  /// Ends the body after what has been pushed.
  public func finish() {
    state.withLock { state in
      state.isFinished = true
      wake(&state)
    }
  }

  private func wake(_ state: inout State) {
    guard state.isWaiting else { return }
    state.isWaiting = false
    state.exchange?.resume()
  }

  // MARK: The server's side

  /// What a client gets next.
  enum Reading: Equatable {
    case bytes(Int)
    case wait
    case end
    case failure
  }

  /// Makes the stream the body of an answer; false if it already is one.
  func attach(_ exchange: HTTPExchange) -> Bool {
    state.withLock { state in
      if state.isClosed || state.exchange != nil { return false }
      state.exchange = exchange
      return true
    }
  }

  /// Fills memory with available bytes; otherwise suspends the client's connection.
  func read(into space: UnsafeMutableRawBufferPointer) -> Reading {
    // Without the lock, so that the callback may take its own locks before it pushes.
    if let whenEmpty, state.withLock({ $0.bytes.isEmpty && !$0.isClosed }) { whenEmpty(self) }
    return state.withLock { state in
      guard let exchange = state.exchange, !state.isClosed else { return .failure }
      let count = min(space.count, state.bytes.count - state.sentCount)
      if count > 0 {
        let part = state.bytes[state.sentCount..<(state.sentCount + count)]
        unsafe space.copyBytes(from: part)
        state.sentCount += count
        // Moving the rest costs time, so it is not done for every block.
        if state.sentCount == state.bytes.count || state.sentCount > capacity / 2 {
          state.bytes.removeFirst(state.sentCount)
          state.sentCount = 0
        }
        return .bytes(count)
      }
      if state.isFinished { return .end }
      guard exchange.suspend() else { return .failure }
      state.isWaiting = true
      return .wait
    }
  }

  /// Notes that the client is gone, or has received everything.
  func close() {
    state.withLock { state in
      state.isClosed = true
      state.isWaiting = false
      state.exchange = nil
      state.bytes = []
      state.sentCount = 0
    }
  }
}
