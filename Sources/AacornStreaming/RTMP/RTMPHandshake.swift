/// The first words of a connection: three packets each way (RTMP 5.2).
///
///     client ─► version:8 (C0)  time:32 zero:32 random:1528 bytes (C1)
///     server ─► version:8 (S0)  time:32 zero:32 random:1528 bytes (S1)  echo of C1 (S2)
///     client ─► echo of S1 (C2)
struct RTMPHandshake {
  /// The version of all that is here.
  static let version: UInt8 = 3
  /// Bytes of C1, C2, S1 and S2.
  static let packetSize = 1536

  /// What the client says first.
  let opening: [UInt8]
  private var received: [UInt8] = []

  /// A beginning with random bytes.
  init() {
    var generator = SystemRandomNumberGenerator()
    self.init(random: &generator)
  }

  /// A beginning with random bytes from a generator.
  init(random generator: inout some RandomNumberGenerator) {
    // Our time begins at 0. Four zeros after it say that this is the plain handshake.
    var opening: [UInt8] = [Self.version] + [UInt8](repeating: 0, count: 8)
    while opening.count < 1 + Self.packetSize { opening.append(bigEndian: generator.next()) }
    self.opening = opening
  }

  /// Takes what has come; returns C2, once all is there, and the bytes that belong to what follows.
  ///
  /// Whether S2 is the echo that it should be is of no use to us, and some servers send none.
  mutating func take(_ bytes: [UInt8]) throws(RTMPFault) -> (reply: [UInt8], rest: [UInt8])? {
    received += bytes
    guard let first = received.first else { return nil }
    guard first == Self.version else {
      throw RTMPFault("its first byte is \(first) and not \(Self.version)")
    }
    guard received.count >= 1 + 2 * Self.packetSize else { return nil }
    // The time at which S1 was read may stand in C2, but servers that compare expect S1 as it was.
    return (
      Array(received[1..<1 + Self.packetSize]), Array(received[(1 + 2 * Self.packetSize)...])
    )
  }
}
