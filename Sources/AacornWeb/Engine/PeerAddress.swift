import AacornSystem

/// The address of a client.
struct PeerAddress: Equatable {
  /// The numeric address; `unix` for a Unix domain socket.
  let text: String
  /// A number that is equal for clients that are probably one: clients on this machine (0), with the same address, or
  /// in the same IPv6 network, in which addresses cost nothing.
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
      // 0 for ::1; no assigned address begins with the numbers used for IPv4.
      neighborhood = Self.number(bytes.prefix(8))
    }
  }

  private static func number(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
