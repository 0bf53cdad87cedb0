/// The handshake of a connection: three packets each way (RTMP 5.2).
///
///     client ─► version:8 (C0)  time:32 zero:32 random:1528 bytes (C1)
///     server ─► version:8 (S0)  time:32 zero:32 random:1528 bytes (S1)  echo of C1 (S2)
///     client ─► echo of S1 (C2)
struct RTMPHandshake {
  /// The version of RTMP used here.
  static let version: UInt8 = 3
  /// The size of C1, C2, S1 and S2 in bytes.
  static let packetSize = 1536

  /// The first bytes from the client: C0 and C1.
  let opening: [UInt8]
  private var received: [UInt8] = []

  /// Creates an opening with random bytes.
  init() {
    var generator = SystemRandomNumberGenerator()
    self.init(random: &generator)
  }

  /// Creates an opening with random bytes from a generator.
  init(random generator: inout some RandomNumberGenerator) {
    // Our time begins at 0. The four zero bytes after it mark the simple handshake.
    var opening: [UInt8] = [Self.version] + [UInt8](repeating: 0, count: 8)
    while opening.count < 1 + Self.packetSize { opening.append(bigEndian: generator.next()) }
    self.opening = opening
  }

  /// Processes received bytes.
  ///
  /// Returns C2 and the surplus bytes after the handshake once it is complete, and nil before.
  ///
  /// S2 is not checked, because some servers do not send a correct echo.
  mutating func process(_ bytes: [UInt8]) throws(RTMPFault) -> (reply: [UInt8], rest: [UInt8])? {
    received += bytes
    guard let first = received.first else { return nil }
    guard first == Self.version else {
      throw RTMPFault("its first byte is \(first), not \(Self.version)")
    }
    guard received.count >= 1 + 2 * Self.packetSize else { return nil }
    // C2 may contain the time at which S1 was read, but servers that check it expect S1 unchanged.
    return (
      Array(received[1..<1 + Self.packetSize]), Array(received[(1 + 2 * Self.packetSize)...])
    )
  }
}
