import AacornSignal
import AacornSoundFiles

/// Extracts one AAC stream from an MPEG transport stream (ISO/IEC 13818-1), which is appended in
/// pieces of any size.
///
///     reader.append(bytes)
///     while let event = reader.next() { … }
///
/// Packets have 188 bytes. Four bytes of timestamp may precede each packet, or 16 bytes of parity
/// may follow it. The distance is determined at the start, from five matching sync bytes, and then
/// kept. After damage, three sync bytes must match. Memory does not grow with the stream.
package struct TransportStreamReader: Sendable {
  /// An event of the reader.
  package enum Event: Equatable, Sendable {
    /// The stream chosen from the tables begins, or another stream replaces it.
    case begins(FramingProbe.Framing)
    /// Bytes of the stream, and their file offset.
    case bytes([UInt8], offset: Int)
    /// Damaged bytes, or missing packets.
    case damage(StreamDamage)
    /// No AAC can be read.
    case failed(CodedFileError)
  }

  private var buffer = StreamBuffer()
  /// The distance between packets in bytes, once known.
  private var distance: Int?
  private var isInSync = false
  /// Skipped bytes that have not been reported yet.
  private var rejected: StreamDamage?
  private var tables: ProgramTables
  private var audio: ElementaryPackets?
  private var pending = PendingItems<Event>()

  private static let distances = [188, 192, 204]

  /// Creates a reader at the start of a stream; `track` counts its AAC streams from 1, nil is the
  /// first.
  package init(track: Int? = nil) {
    tables = ProgramTables(track: track)
  }

  /// Appends the next bytes of the stream.
  package mutating func append(_ bytes: [UInt8]) { buffer.append(bytes.span) }

  /// Marks the end of the stream.
  package mutating func finish() { buffer.isFinished = true }

  /// The program of the AAC stream, once its program map has been read.
  package var program: TransportProgram? {
    guard var program = tables.program else { return nil }
    program.programCount = tables.programCount
    program.packetByteCount = distance ?? TransportPacket.byteCount
    return program
  }

  /// The reason why no stream has been chosen.
  package var failure: CodedFileError { tables.failure }

  /// Returns the next event, or nil if more bytes are needed or the stream has ended.
  package mutating func next() -> Event? {
    while true {
      if let event = pending.take() { return event }
      guard isInSync || findPackets(), let distance else {
        return buffer.isFinished && buffer.count == 0 ? takeRejected() : nil
      }
      guard buffer.isSettled(distance) else { return nil }
      guard buffer.count >= TransportPacket.byteCount, buffer[0] == TransportPacket.sync else {
        isInSync = false
        continue
      }
      if let event = takeRejected() { return event }
      if let packet = TransportPacket(buffer) { process(packet) }
      buffer.drop(min(distance, buffer.count))
    }
  }

  private mutating func process(_ packet: TransportPacket) {
    if packet.identifier == audio?.identifier {
      audio?.process(packet, in: buffer, into: &pending.list)
      return
    }
    switch tables.process(packet, in: buffer) {
    case nil: break
    case .failure(let error): pending.list.append(.failed(error))
    case .stream(let stream):
      audio = ElementaryPackets(identifier: stream.identifier)
      pending.list.append(.begins(stream.framing))
    }
  }

  /// Skips bytes up to a packet that others follow; returns whether one was found.
  private mutating func findPackets() -> Bool {
    while buffer.count > 0 {
      if buffer[0] == TransportPacket.sync {
        for candidate in Self.distances where distance == nil || distance == candidate {
          guard let isFound = packetsFollow(at: candidate, count: distance == nil ? 5 : 3) else {
            return false
          }
          guard isFound else { continue }
          // The timestamp before the first packet is not damage.
          if candidate == 192, let rejected, rejected.offset == 0, rejected.length == 4 {
            self.rejected = nil
          }
          distance = candidate
          isInSync = true
          return true
        }
      }
      var damage = rejected ?? StreamDamage(kind: .garbage, offset: buffer.offset, length: 0)
      damage.length &+= 1
      rejected = damage
      buffer.drop(1)
    }
    return false
  }

  /// Returns whether sync bytes follow at this distance from the head; nil if more bytes are
  /// needed.
  ///
  /// At the end of the stream, the remaining bytes must match and contain at least one packet.
  private func packetsFollow(at distance: Int, count: Int) -> Bool? {
    for number in 0..<count {
      let index = number * distance
      if index >= buffer.count {
        return buffer.isFinished ? buffer.count >= TransportPacket.byteCount : nil
      }
      if buffer[index] != TransportPacket.sync { return false }
    }
    return true
  }

  private mutating func takeRejected() -> Event? { rejected.take().map { .damage($0) } }
}

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
