/// A writer that splits messages into chunks (RTMP 5.3).
///
///     format:2 chunk stream:6 │ message header: 11 or 7 bytes │ extended timestamp: 0 or 4 │ data
///                     format 3, no header, before each further piece ┘
///
/// A message begins with a complete header (format 0). After a message of the same stream, it
/// begins with format 1, which has the time difference.
struct RTMPChunkWriter {
  /// The maximum number of data bytes in a chunk.
  ///
  /// It is 128 until a message sets another size (RTMP 5.4.1).
  private(set) var chunkSize = 128
  private var previousHeaders: [UInt8: (timestamp: UInt32, streamID: UInt32)] = [:]

  /// The first time value that needs the extended timestamp field (RTMP 5.3.1.3).
  static let extendedFrom: UInt32 = 0xFF_FFFF

  /// Returns the bytes of a message on a chunk stream from 2 to 63.
  ///
  /// A message that sets the chunk size applies to the messages after it.
  mutating func bytes(of message: RTMPMessage, on chunkStream: UInt8) -> [UInt8] {
    precondition((2...63).contains(chunkStream))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(message.payload.count + message.payload.count / chunkSize + 20)
    let extended = writeHeader(of: message, on: chunkStream, to: &bytes)
    var offset = 0
    repeat {
      if offset > 0 {
        bytes.append(3 << 6 | chunkStream)
        // Each piece repeats the extended timestamp of the message (RTMP 5.3.1.3).
        if let extended { bytes.append(bigEndian: extended) }
      }
      let end = min(offset + chunkSize, message.payload.count)
      bytes += message.payload[offset..<end]
      offset = end
    } while offset < message.payload.count
    if message.kind == .setChunkSize, let size = message.number { chunkSize = max(1, Int(size)) }
    return bytes
  }

  /// Writes the header of the first chunk.
  ///
  /// Returns the extended timestamp, or nil.
  private mutating func writeHeader(
    of message: RTMPMessage, on chunkStream: UInt8, to bytes: inout [UInt8]
  ) -> UInt32? {
    var format: UInt8 = 0
    var time = message.timestamp
    if let previousHeaders = previousHeaders[chunkStream],
      previousHeaders.streamID == message.streamID
    {
      // Modulo 2³², so that the time may wrap. A step back thus becomes a huge step forward. A step
      // that does not fit is written as an absolute time.
      let step = message.timestamp &- previousHeaders.timestamp
      if step < Self.extendedFrom { (format, time) = (1, step) }
    }
    previousHeaders[chunkStream] = (message.timestamp, message.streamID)

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
