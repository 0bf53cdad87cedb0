/// A connection to a client that carries bytes, without any HTTP.
///
/// It is used on the carrier's thread only, and calls its owner there.
protocol ByteLink: AnyObject {
  /// The connection that is notified of events; nil after the link was closed.
  var owner: ClientConnection? { get set }
  /// The maximum number of bytes to send at a time.
  var pieceSize: Int { get }
  /// Waits for bytes, and notifies the owner once: of bytes, of their end, or of a failure.
  func receive()
  /// Sends all bytes.
  ///
  /// If that takes time, the owner is notified of the end.
  func send(_ bytes: [UInt8]) -> ByteSending
  /// Signals to the client that nothing follows the sent bytes.
  func finishSending()
  /// Makes the system detect a client that disappears silently.
  func probeSilence()
  /// Closes the connection, and discards bytes that were not sent yet.
  func close()
}

/// The progress of a send.
enum ByteSending {
  case done
  /// The client has not accepted all bytes yet.
  case pending
  case failed
}

/// A listener that accepts connections, with a thread or a queue on which they are used.
protocol ByteCarrier: Sendable {
  /// The port of the listener; 0 for a Unix domain socket.
  var port: Int { get }
  /// Calls `work` soon, on the carrier's thread; never after the carrier has ended.
  func perform(_ work: @escaping @Sendable () -> Void)
  /// Accepts no more connections and ends, after a last call of `work` on the carrier's thread.
  func stop(_ work: @escaping @Sendable () -> Void)
}
