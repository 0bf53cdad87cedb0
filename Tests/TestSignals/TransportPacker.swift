/// Packs tables and streams into the packets of a transport stream.
package struct TransportPacker {
  /// The packets of 188 bytes.
  package var packets: [[UInt8]] = []
  private var counters: [Int: UInt8] = [:]

  package init() {}

  /// All packets, concatenated.
  package var bytes: [UInt8] { packets.flatMap { $0 } }

  /// The packets with a timestamp before each.
  package var timedBytes: [UInt8] { packets.flatMap { [0, 1, 2, 3] + $0 } }

  /// The packets with parity after each.
  package var parityBytes: [UInt8] { packets.flatMap { $0 + [UInt8](repeating: 0x5A, count: 16) } }

  /// Returns a stream with one program and its frames in PES packets, two in each.
  package static func stream(type: UInt8, _ frames: [[UInt8]]) -> TransportPacker {
    var packer = TransportPacker()
    packer.putAssociation([(1, 0x1000)])
    packer.putMap(1, at: 0x1000, [(type, 0x100)])
    for index in stride(from: 0, to: frames.count, by: 2) {
      packer.putStream(0x100, Array(frames[index...].prefix(2).joined()))
    }
    return packer
  }

  /// Adds a packet with a payload of up to 184 bytes, padded by an adaptation field.
  package mutating func put(
    _ identifier: Int, _ payload: some Collection<UInt8>, startsUnit: Bool = false,
    isScrambled: Bool = false
  ) {
    let counter = counters[identifier] ?? 0
    counters[identifier] = (counter + 1) & 15
    let stuffing = 184 - payload.count
    var packet: [UInt8] = [
      0x47, (startsUnit ? 0x40 : 0) | UInt8(identifier >> 8), UInt8(identifier & 0xFF),
      (isScrambled ? 0x80 : 0) | (stuffing > 0 ? 0x30 : 0x10) | counter,
    ]
    if stuffing > 0 { packet.append(UInt8(stuffing - 1)) }
    if stuffing > 1 { packet += [0] + [UInt8](repeating: 0xFF, count: stuffing - 2) }
    packets.append(packet + payload)
  }

  /// Adds a program association table.
  package mutating func putAssociation(
    _ programs: [(number: Int, identifier: Int)], version: UInt8 = 0
  ) {
    let entries = programs.flatMap { Self.word($0.number) + Self.word(0xE000 | $0.identifier) }
    putSection(0, at: 0, extending: 1, version: version, entries)
  }

  /// Adds a program map.
  package mutating func putMap(
    _ program: Int, at identifier: Int, _ streams: [(type: UInt8, identifier: Int)],
    version: UInt8 = 0
  ) {
    var content = Self.word(0xE100)
    content += Self.word(0xF000)
    for stream in streams {
      content.append(stream.type)
      content += Self.word(0xE000 | stream.identifier)
      // A language descriptor.
      content += Self.word(0xF006)
      content += [0x0A, 4, 0x75, 0x6E, 0x64, 0]
    }
    putSection(2, at: identifier, extending: program, version: version, content)
  }

  private mutating func putSection(
    _ table: UInt8, at identifier: Int, extending number: Int, version: UInt8, _ content: [UInt8]
  ) {
    var section = [table]
    section += Self.word(0xB000 + content.count + 9)
    section += Self.word(number)
    section += [0xC1 | version << 1, 0, 0]
    section += content
    let checksum = Self.checksum(section)
    section += Self.word(Int(checksum >> 16))
    section += Self.word(Int(checksum & 0xFFFF))
    put(identifier, [0] + section, startsUnit: true)
  }

  /// Adds a PES packet with a header of at least nine bytes.
  package mutating func putStream(
    _ identifier: Int, _ data: [UInt8], headerCount: Int = 14, isScrambled: Bool = false
  ) {
    var bytes: [UInt8] = [0, 0, 1, 0xC0]
    bytes += Self.word(data.count + headerCount - 6)
    bytes += [0x80, 0x80, UInt8(headerCount - 9)]
    bytes += [UInt8](repeating: 0xFF, count: headerCount - 9)
    bytes += data
    for start in stride(from: 0, to: bytes.count, by: 184) {
      put(
        identifier, bytes[start...].prefix(184), startsUnit: start == 0, isScrambled: isScrambled)
    }
  }

  /// Returns the CRC-32 of a section (ISO/IEC 13818-1, annex A).
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var register = UInt32.max
    for byte in bytes {
      register ^= UInt32(byte) << 24
      for _ in 0..<8 { register = register << 1 ^ (register >> 31 == 1 ? 0x04C1_1DB7 : 0) }
    }
    return register
  }

  private static func word(_ value: Int) -> [UInt8] {
    [UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)]
  }
}
