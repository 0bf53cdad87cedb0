/// The header of a packet of a transport stream (ISO/IEC 13818-1, 2.4.3.2).
///
///     sync 0x47 8 | error 1 | unit start 1 | priority 1 | identifier 13
///     scrambling 2 | adaptation field 1 | payload 1 | continuity counter 4
///
/// The adaptation field begins with its length in bytes.
struct TransportPacket {
  static let byteCount = 188
  static let sync: UInt8 = 0x47

  /// The packet identifier (PID), 0…0x1FFF.
  let identifier: Int
  /// Whether a PES packet or a section begins in the packet.
  let startsUnit: Bool
  let isScrambled: Bool
  /// Whether the continuity counter may jump here.
  let isDiscontinuous: Bool
  /// A number that grows by one, modulo 16, from each packet with payload to the next.
  let continuity: UInt8
  /// The range of the payload in the packet.
  ///
  /// It extends to the end of the packet, or is empty.
  let payload: Range<Int>

  /// Reads the packet at the head of a buffer; returns nil if it is damaged.
  init?(_ buffer: StreamBuffer) {
    guard let bits = buffer.word(at: 0, byteCount: 6) else { return nil }
    let isDamaged = bits >> 39 & 1 != 0
    let hasField = bits >> 21 & 1 != 0
    let hasPayload = bits >> 20 & 1 != 0
    if isDamaged || !hasField && !hasPayload { return nil }
    identifier = Int(truncatingIfNeeded: bits >> 24 & 0x1FFF)
    startsUnit = bits >> 38 & 1 != 0
    isScrambled = bits >> 22 & 3 != 0
    continuity = UInt8(truncatingIfNeeded: bits >> 16 & 15)
    let fieldLength = hasField ? Int(truncatingIfNeeded: bits >> 8 & 0xFF) : 0
    isDiscontinuous = fieldLength > 0 && bits >> 7 & 1 != 0
    let start = 4 + (hasField ? 1 + fieldLength : 0)
    guard start <= Self.byteCount else { return nil }
    payload = (hasPayload ? start : Self.byteCount)..<Self.byteCount
  }
}
