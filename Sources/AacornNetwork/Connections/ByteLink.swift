import AacornSystem

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

extension ByteCarrier {
  /// The maximum number of clients to accept before the connected ones are read.
  ///
  /// Otherwise many new clients would displace each other before their requests are read.
  static var burst: Int { 32 }
}

/// The address of a client.
struct PeerAddress: Equatable {
  /// The numeric address; `unix` for a Unix domain socket.
  let text: String
  /// A number that is equal for addresses that probably belong to the same client.
  ///
  /// It is 0 for loopback addresses and Unix domain sockets. Otherwise it is the IPv4 address, or
  /// the IPv6 network (/64), in which a client can have any number of addresses.
  let neighborhood: UInt64

  /// The address of a client of a Unix domain socket.
  static let file = PeerAddress(text: "unix", neighborhood: 0)

  private init(text: String, neighborhood: UInt64) {
    self.text = text
    self.neighborhood = neighborhood
  }

  /// Creates the address from four or sixteen bytes.
  init(_ bytes: [UInt8]) {
    // An IPv4 client of a socket for both families (RFC 4291 2.5.5.2).
    let mapping = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
    let bytes = bytes.count == 16 && bytes.starts(with: mapping) ? Array(bytes[12...]) : bytes
    text = System.addressText(bytes)
    if bytes.count == 4 {
      // Every address in 127.0.0.0/8 is this machine.
      neighborhood = bytes[0] == 127 ? 0 : Self.number(bytes)
    } else {
      // The /64 network. It is 0 for ::1, and no assigned network is as low as an IPv4 address.
      neighborhood = Self.number(bytes.prefix(8))
    }
  }

  private static func number(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
