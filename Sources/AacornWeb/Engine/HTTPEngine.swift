import AacornSystem

/// An HTTP/1.1 server without a library.
///
/// It works over any carrier of bytes. An ``HTTPRequestReader`` per connection parses the input.
/// The dispatcher decides on the response, and an ``EngineConnection`` performs its decisions.
final class HTTPEngine: HTTPBackEnd {
  let dispatcher: RequestDispatcher
  let table: EngineTable
  private let idle: Int64
  private let carrier: Lock<(any ByteCarrier)?>

  /// The port of the listener; 0 for a Unix domain socket, and before the server is opened.
  var port: Int { carrier.withLock { $0?.port ?? 0 } }

  init(_ options: HTTPServer.Options, _ handler: @escaping HTTPServer.Handler) {
    let table = EngineTable()
    self.table = table
    dispatcher = RequestDispatcher(
      options: options, handler: handler, disconnect: { table.disconnect($0) },
      inspect: { table.snapshot(at: $0) })
    idle = max(1, options.idleTimeout.nanoseconds)
    carrier = Lock(nil)
  }

  /// Stores the carrier that accepts clients.
  func open(_ opened: any ByteCarrier) { carrier.withLock { $0 = opened } }

  func stop() {
    let present = carrier.withLock { carrier in
      defer { carrier = nil }
      return carrier
    }
    present?.stop { [table] in
      for connection in table.all { connection.close() }
    }
  }

  func drain(at now: Int64) -> Bool { false }

  // MARK: On the carrier's thread

  /// Whether no more clients may be accepted at the moment.
  ///
  /// A new client displaces another one, and both are connected for a moment. So up to 64 clients
  /// more than the maximum are accepted.
  var isFull: Bool { table.count >= dispatcher.maxClientCount + 64 }

  /// Adds a client.
  func accept(_ link: any ByteLink, from address: PeerAddress, through carrier: any ByteCarrier) {
    let connection = table.add { number in
      EngineConnection(number, link, address, self, carrier)
    }
    connection.start()
  }

  /// Closes connections that were idle for too long.
  ///
  /// Returns the time at which the next connection will have been idle for too long.
  func checkTimes(at now: Int64) -> Int64 {
    var next = Int64.max
    for connection in table.all {
      let deadline = connection.deadline(idle: idle)
      if deadline <= now {
        connection.close()
      } else {
        next = min(next, deadline)
      }
    }
    return next
  }
}
