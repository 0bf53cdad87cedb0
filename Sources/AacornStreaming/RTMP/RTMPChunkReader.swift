/// A reader that assembles messages from chunks (RTMP 5.3).
///
/// The untrusted bytes may arrive in pieces of any length.
///
/// The reader handles changes of the chunk size and aborted messages, and returns all other
/// messages.
struct RTMPChunkReader {
  /// The maximum number of bytes in a message.
  ///
  /// Messages to a publisher have a few hundred bytes.
  static let messageLimit = 1 << 20
  /// The maximum number of bytes in all incomplete messages together.
  static let pendingLimit = 4 << 20
  /// The maximum number of chunk streams.
  static let streamLimit = 256

  /// The state of a chunk stream after its previous chunks.
  private struct ChunkStream {
    var timestamp: UInt32 = 0
    /// The last time field: a time after format 0, a delta after other formats.
    var timeField: UInt32 = 0
    var isExtended = false
    var length = 0
    var kind = RTMPMessage.Kind(rawValue: 0)
    var streamID: UInt32 = 0
    var payload: [UInt8] = []
    /// Whether a message has begun but is incomplete.
    var isOpen = false
  }

  private var chunkSize = 128
  private var streams: [Int: ChunkStream] = [:]
  private var pendingCount = 0
  private var bytes: [UInt8] = []
  private var position = 0

  /// Appends received bytes.
  mutating func append(_ new: [UInt8]) {
    if position > 0 {
      bytes.removeFirst(position)
      position = 0
    }
    bytes += new
  }

  /// Returns the next complete message, or nil if more bytes are needed.
  mutating func next() throws(RTMPFault) -> RTMPMessage? {
    while let header = try readHeader() {
      guard let message = try readData(header) else { continue }
      switch message.kind {
      case .setChunkSize:
        guard let size = message.number, (1...0x7FFF_FFFF).contains(size) else {
          throw RTMPFault("it sets an invalid chunk size")
        }
        chunkSize = Int(size)
      case .abort:
        if let index = message.number { discardPartialMessage(Int(index)) }
      default: return message
      }
    }
    return nil
  }

  /// The header of a complete chunk, and the position of its data.
  private struct Header {
    var index: Int
    var stream: ChunkStream
    var dataStart: Int
    var dataCount: Int
  }

  /// Reads a header without changing the state.
  ///
  /// Returns nil if the chunk is incomplete.
  private func readHeader() throws(RTMPFault) -> Header? {
    var start = position
    /// Returns the next bytes as a number, or nil if they have not been received.
    func number(_ byteCount: Int) -> UInt64? {
      guard bytes.count - start >= byteCount else { return nil }
      defer { start += byteCount }
      return bytes.bigEndian(at: start, byteCount: byteCount)
    }

    // The basic header (RTMP 5.3.1.1): stream numbers from 64 on need one or two additional bytes.
    guard let first = number(1) else { return nil }
    let format = Int(first >> 6)
    var index = Int(first & 63)
    if index == 0 {
      guard let low = number(1) else { return nil }
      index = 64 + Int(low)
    } else if index == 1 {
      guard let pair = number(2) else { return nil }
      index = 64 + Int(pair >> 8) + Int(pair & 0xFF) << 8
    }
    // Format 1 is not allowed in the first chunk, but some servers use it; only the stream ID is
    // missing.
    guard var stream = streams[index] ?? (format <= 1 ? ChunkStream() : nil) else {
      throw RTMPFault("a chunk continues a message that never began")
    }
    guard format == 3 || !stream.isOpen else {
      throw RTMPFault("a message starts inside another one of its chunk stream")
    }

    // The message header (RTMP 5.3.1.2).
    if format <= 2 {
      guard let time = number(3) else { return nil }
      stream.timeField = UInt32(time)
      stream.isExtended = time == UInt64(RTMPChunkWriter.extendedFrom)
    }
    if format <= 1 {
      guard let length = number(3), let kind = number(1) else { return nil }
      stream.length = Int(length)
      stream.kind = RTMPMessage.Kind(rawValue: UInt8(kind))
      guard stream.length <= Self.messageLimit else { throw RTMPFault("a message is too long") }
    }
    if format == 0 {
      guard let streamID = number(4) else { return nil }
      stream.streamID = UInt32(streamID).byteSwapped
    }
    if stream.isExtended {
      guard let time = number(4) else { return nil }
      stream.timeField = UInt32(time)
    }
    if !stream.isOpen {
      // After format 0, format 3 uses the time as the delta (RTMP 5.3.1.2.4).
      stream.timestamp = format == 0 ? stream.timeField : stream.timestamp &+ stream.timeField
      stream.isOpen = true
    }
    let dataCount = min(chunkSize, stream.length - stream.payload.count)
    guard bytes.count - start >= dataCount else { return nil }
    return Header(index: index, stream: stream, dataStart: start, dataCount: dataCount)
  }

  /// Reads the data of a chunk.
  ///
  /// Returns the message if the chunk completes it.
  private mutating func readData(_ header: Header) throws(RTMPFault) -> RTMPMessage? {
    var stream = header.stream
    // The dictionary must not hold a second reference, or appending would copy the payload.
    streams[header.index] = nil
    let end = header.dataStart + header.dataCount
    stream.payload += bytes[header.dataStart..<end]
    position = end
    pendingCount += header.dataCount
    var message: RTMPMessage?
    if stream.payload.count == stream.length {
      pendingCount -= stream.length
      message = RTMPMessage(
        kind: stream.kind, streamID: stream.streamID, timestamp: stream.timestamp,
        payload: stream.payload)
      stream.payload = []
      stream.isOpen = false
    }
    streams[header.index] = stream
    guard pendingCount <= Self.pendingLimit, streams.count <= Self.streamLimit else {
      throw RTMPFault("it starts more messages than it finishes")
    }
    return message
  }

  /// Discards the received part of a message (RTMP 5.4.2).
  private mutating func discardPartialMessage(_ index: Int) {
    guard var stream = streams[index], stream.isOpen else { return }
    pendingCount -= stream.payload.count
    stream.payload = []
    stream.isOpen = false
    streams[index] = stream
  }
}
