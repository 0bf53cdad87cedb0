/// A connection to a client that carries bytes and knows nothing of HTTP.
///
/// It is used, and calls its owner, on its carrier's thread only.
protocol ByteLink: AnyObject {
  /// Who is told what happens; nobody once it is closed.
  var owner: EngineConnection? { get set }
  /// The most bytes to send at a time.
  var pieceSize: Int { get }
  /// Waits for bytes, once: the owner is told of them, of their end, or of a failure.
  func receive()
  /// Sends bytes, all of them; the owner is told when a sending that takes time is done.
  func send(_ bytes: [UInt8]) -> ByteSending
  /// Tells the client that nothing follows what was sent.
  func finishSending()
  /// Makes the system notice a client that vanishes silently.
  func probeSilence()
  /// Ends the connection after what was sent.
  func close()
}

/// How far a link is with sending.
enum ByteSending {
  case done
  /// The client takes its time.
  case pending
  case failed
}

/// What accepts connections, and has a thread, or what stands for one, on which they are used.
protocol ByteCarrier: Sendable {
  /// The port on which it listens; 0 for a socket file.
  var port: Int { get }
  /// Calls `work` on its thread, soon; never after it has ended.
  func perform(_ work: @escaping @Sendable () -> Void)
  /// Accepts no more connections and ends, after a last call of `work` on its thread.
  func stop(_ work: @escaping @Sendable () -> Void)
}
