import AacornSystem

/// A response body that grows while it is sent, for example events for a page or endless audio.
///
/// Any thread may push bytes. The stream holds pending bytes up to a limit; beyond it, `push`
/// returns `full`. A stream is for one response.
public final class HTTPStream: Sendable {
  /// The result of pushing bytes.
  public enum Outcome: Sendable {
    /// The bytes will be sent.
    case taken
    /// Too many bytes are pending, so none of the new bytes was accepted.
    case full
    /// The client has disconnected, or the stream is finished.
    case closed
  }

  private struct State {
    var bytes: [UInt8] = []
    /// The number of bytes at the beginning that were already sent.
    var sentCount = 0
    var isFinished = false
    var isClosed = false
    /// The request that the stream responds to.
    var exchange: HTTPExchange?
    var isWaiting = false
  }

  private let state = Lock(State())
  private let capacity: Int
  private let whenEmpty: (@Sendable (HTTPStream) -> Void)?

  /// Creates a stream that holds up to `capacity` pending bytes.
  ///
  /// `whenEmpty` is called on the server's thread when the client has accepted all bytes. It may
  /// push bytes, and must not wait.
  public init(
    capacity: Int = 64 * 1024, whenEmpty: (@Sendable (HTTPStream) -> Void)? = nil
  ) {
    self.capacity = capacity
    self.whenEmpty = whenEmpty
  }

  /// Whether no bytes can be pushed: the client has disconnected, or the stream is finished.
  public var isClosed: Bool { state.withLock { $0.isClosed || $0.isFinished } }

  /// The number of pushed bytes that were not sent yet.
  public var pendingByteCount: Int { state.withLock { $0.bytes.count - $0.sentCount } }

  /// Appends bytes, all of them or none.
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

  /// Appends text as UTF-8.
  @discardableResult
  public func push(_ text: String) -> Outcome { push(Array(text.utf8)) }

  /// Ends the body after the pushed bytes.
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

  // MARK: Server side

  /// The result of reading a body.
  enum Reading: Equatable {
    case bytes(Int)
    case wait
    case end
    case failure
  }

  /// Makes the stream the body of a response.
  ///
  /// Returns false if it already is one.
  func attach(_ exchange: HTTPExchange) -> Bool {
    state.withLock { state in
      if state.isClosed || state.exchange != nil { return false }
      state.exchange = exchange
      return true
    }
  }

  /// Copies available bytes to memory.
  ///
  /// If there are none, suspends the client's connection.
  func read(into space: UnsafeMutableRawBufferPointer) -> Reading {
    // Called without the lock, so that the callback may acquire other locks before it pushes.
    if let whenEmpty, state.withLock({ $0.bytes.isEmpty && !$0.isClosed }) { whenEmpty(self) }
    return state.withLock { state in
      guard let exchange = state.exchange, !state.isClosed else { return .failure }
      let count = min(space.count, state.bytes.count - state.sentCount)
      if count > 0 {
        let part = state.bytes[state.sentCount..<(state.sentCount + count)]
        unsafe space.copyBytes(from: part)
        state.sentCount += count
        // Moving the remaining bytes takes time, so it is not done for every block.
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

  /// Closes the stream when the client has disconnected or has received all bytes.
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
