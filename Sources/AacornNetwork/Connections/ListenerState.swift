/// The state of a server's listener that the system may take away, as from a suspended app.
struct ListenerState<Listener: AnyObject> {
  var listener: Listener?
  /// The port of the server; 0 until its first listener is ready.
  var port = 0
  var isWatching = false
  /// Whether the queue has a work item that accepts more new clients.
  var isAccepting = false
  var isFinished = false

  /// Removes a listener that has failed.
  ///
  /// Returns the port for its successor; nil if it was never ready, or is not used any more.
  mutating func remove(_ failed: Listener) -> Int? {
    if isFinished || port == 0 || listener !== failed { return nil }
    listener = nil
    return port
  }
}
