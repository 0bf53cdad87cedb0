import AacornSystem

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
