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
