/// Assembles the sections of tables from the packets of one PID (ISO/IEC 13818-1, 2.4.4).
struct SectionReader: Sendable {
  private var bytes: [UInt8] = []
  private var isCollecting = false
  private var continuity: UInt8?

  /// The maximum length of a section of these tables, in bytes (2.4.4.3 and 2.4.4.8).
  private static let maxSectionByteCount = 1024

  /// Reads the packet at the head of a buffer and returns the intact sections that it completes.
  mutating func append(_ packet: TransportPacket, in buffer: StreamBuffer) -> [[UInt8]] {
    guard !packet.payload.isEmpty, !packet.isScrambled else { return [] }
    if let continuity {
      if packet.continuity == continuity { return [] }
      if packet.continuity != (continuity + 1) & 15 { stop() }
    }
    continuity = packet.continuity
    var start = packet.payload.lowerBound
    var sections: [[UInt8]] = []
    if packet.startsUnit {
      // The first byte of the payload is the number of bytes before the first new section.
      let first = start + 1 + Int(buffer[start])
      guard first <= packet.payload.upperBound else {
        stop()
        return []
      }
      if isCollecting { bytes += buffer.copy(start + 1..<first) }
      takeSections(into: &sections)
      bytes.removeAll(keepingCapacity: true)
      isCollecting = true
      start = first
    }
    guard isCollecting else { return sections }
    bytes += buffer.copy(start..<packet.payload.upperBound)
    takeSections(into: &sections)
    return sections
  }

  /// Moves complete sections out of the collected bytes, and stops at invalid ones.
  private mutating func takeSections(into sections: inout [[UInt8]]) {
    var start = 0
    while isCollecting, bytes.count - start >= 3 {
      let length = 3 + Int(bytes[start + 1..<start + 3].number() & 0x0FFF)
      // Table 0xFF is stuffing, which lasts until the end of the packet.
      if bytes[start] == 0xFF || length > Self.maxSectionByteCount { return stop() }
      if bytes.count - start < length { break }
      let section = Array(bytes[start..<start + length])
      if Self.checksum(section) == 0 { sections.append(section) }
      start += length
    }
    bytes.removeFirst(min(start, bytes.count))
  }

  private mutating func stop() {
    isCollecting = false
    bytes.removeAll(keepingCapacity: true)
  }

  /// Returns the checksum of all bytes; 0 for a section with a valid checksum at its end (annex A).
  ///
  /// Polynomial 0x04C11DB7, register initially all ones, most significant bit first.
  static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var register: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      register ^= UInt32(byte) << 24
      for _ in 0..<8 {
        register = register << 1 ^ (register >> 31 != 0 ? 0x04C1_1DB7 : 0)
      }
    }
    return register
  }
}
