/// The program of a transport stream whose AAC is read, as its tables have it (ISO/IEC 13818-1,
/// 2.4.4).
public struct TransportProgram: Equatable, Sendable {
  /// A stream of the program.
  @frozen
  public struct Stream: Equatable, Sendable {
    /// What it is, such as 0x0F for AAC with ADTS headers (table 2-34).
    public var type: UInt8
    /// What its packets are marked with (PID).
    public var identifier: Int
  }

  /// The number of the program.
  public var number: Int
  /// How many programs the stream has.
  public internal(set) var programCount = 1
  /// What the packets of its map are marked with.
  public var mapIdentifier: Int
  /// What the packets of the AAC stream are marked with (PID).
  public var identifier: Int
  /// Whether its frames are LATM in LOAS rather than ADTS.
  public var isLOAS: Bool
  /// All its streams, in the order of its map.
  public internal(set) var streams: [Stream] = []
  /// From one packet to the next: 188 bytes, with time stamps 192, with parity 204.
  public internal(set) var packetByteCount = TransportPacket.byteCount
}
