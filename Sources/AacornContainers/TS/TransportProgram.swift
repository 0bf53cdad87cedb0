/// The program with the AAC stream, as listed in the tables of a transport stream (ISO/IEC 13818-1,
/// 2.4.4).
public struct TransportProgram: Equatable, Sendable {
  /// A stream of the program.
  @frozen
  public struct Stream: Equatable, Sendable {
    /// The stream type, such as 0x0F for AAC with ADTS headers (table 2-34).
    public var type: UInt8
    /// The packet identifier (PID) of the stream.
    public var identifier: Int
  }

  /// The program number.
  public var number: Int
  /// The number of programs in the transport stream.
  public internal(set) var programCount = 1
  /// The packet identifier (PID) of the program map.
  public var mapIdentifier: Int
  /// The packet identifier (PID) of the AAC stream.
  public var identifier: Int
  /// Whether the frames are LATM in LOAS rather than ADTS.
  public var isLOAS: Bool
  /// All streams of the program, in the order of its map.
  public internal(set) var streams: [Stream] = []
  /// The distance between packets in bytes: 188, with timestamps 192, with parity 204.
  public internal(set) var packetByteCount = TransportPacket.byteCount
}
