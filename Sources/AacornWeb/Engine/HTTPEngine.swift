import AacornSystem

/// HTTP/1.1 by our own hands, over whatever carries bytes.
///
/// What a client sends is taken apart by an ``HTTPRequestReader`` for each connection; the desk
/// decides, and an ``EngineConnection`` does what it says.
final class HTTPEngine: HTTPBackEnd {
  let desk: HTTPDesk
  let table: EngineTable
  private let idle: Int64
  private let carrier: Lock<(any ByteCarrier)?>

  /// The port on which it listens; 0 for a socket file, and before it is opened.
  var port: Int { carrier.withLock { $0?.port ?? 0 } }

  init(_ options: HTTPServer.Options, _ handler: @escaping HTTPServer.Handler) {
    let table = EngineTable()
    self.table = table
    desk = HTTPDesk(
      options: options, handler: handler, cut: { table.cut($0) }, look: { table.glance(at: $0) })
    idle = max(1, options.idleTimeout.nanoseconds)
    carrier = Lock(nil)
  }

  /// Notes through what it has clients.
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

  /// Whether no more clients may be accepted for now.
  ///
  /// A newcomer displaces another client, and both are connected for a moment.
  var isFull: Bool { table.count >= desk.placeCount + 64 }

  /// Takes in a client.
  func accept(_ link: any ByteLink, from address: PeerAddress, through carrier: any ByteCarrier) {
    let connection = table.add { number in
      EngineConnection(number, link, address, self, carrier)
    }
    connection.start()
  }

  /// Ends connections that were idle for too long; returns when the next one will have been.
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
