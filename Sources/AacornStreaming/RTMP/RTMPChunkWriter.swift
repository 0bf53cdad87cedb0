/// Splits messages into chunks (RTMP 5.3).
///
///     format:2 chunk stream:6 │ message header: 11 or 7 bytes │ extended timestamp: 0 or 4 │ data
///                     format 3, no header, before each further piece ┘
///
/// A message begins with format 0, which is complete, or, if a message of the same stream preceded
/// it, with format 1, which has the time difference.
struct RTMPChunkWriter {
  /// The most data in a chunk; 128 until the other side has been told otherwise (RTMP 5.4.1).
  private(set) var chunkSize = 128
  private var before: [UInt8: (timestamp: UInt32, streamID: UInt32)] = [:]

  /// From this value on, the time has a field of its own (RTMP 5.3.1.3).
  static let extendedFrom: UInt32 = 0xFF_FFFF

  /// The bytes of a message on a chunk stream, which must be from 2 to 63.
  ///
  /// A message that sets the chunk size takes effect after itself.
  mutating func bytes(of message: RTMPMessage, on chunkStream: UInt8) -> [UInt8] {
    precondition((2...63).contains(chunkStream))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(message.payload.count + message.payload.count / chunkSize + 20)
    let extended = writeHeader(of: message, on: chunkStream, to: &bytes)
    var offset = 0
    repeat {
      if offset > 0 {
        bytes.append(3 << 6 | chunkStream)
        // Each piece repeats the extended timestamp of its message (RTMP 5.3.1.3).
        if let extended { bytes.append(bigEndian: extended) }
      }
      let end = min(offset + chunkSize, message.payload.count)
      bytes += message.payload[offset..<end]
      offset = end
    } while offset < message.payload.count
    if message.kind == .setChunkSize, let size = message.number { chunkSize = max(1, Int(size)) }
    return bytes
  }

  /// Returns the extended timestamp, if there is one.
  private mutating func writeHeader(
    of message: RTMPMessage, on chunkStream: UInt8, to bytes: inout [UInt8]
  ) -> UInt32? {
    var format: UInt8 = 0
    var time = message.timestamp
    if let before = before[chunkStream], before.streamID == message.streamID {
      // Modulo 2³², so that the time may wrap; a step back becomes a huge step forward, which, like
      // any that does not fit, is written as the time itself.
      let step = message.timestamp &- before.timestamp
      if step < Self.extendedFrom { (format, time) = (1, step) }
    }
    before[chunkStream] = (message.timestamp, message.streamID)

    bytes.append(format << 6 | chunkStream)
    bytes.append(bigEndian: min(time, Self.extendedFrom), byteCount: 3)
    bytes.append(bigEndian: UInt32(message.payload.count), byteCount: 3)
    bytes.append(message.kind.rawValue)
    if format == 0 {
      // The only little-endian number (RTMP 5.3.1.2.1).
      bytes.append(bigEndian: message.streamID.byteSwapped)
    }
    guard time >= Self.extendedFrom else { return nil }
    bytes.append(bigEndian: time)
    return time
  }
}
