import TestSignals

@testable import AacornStreaming

/// A writer of unusual but valid chunks: interleaved chunk streams, all header formats, and changes
/// of the chunk size.
struct RTMPTestChunker {
  private struct Last {
    var message: RTMPMessage
    var timeField: UInt32
  }

  private struct Pending {
    var message: RTMPMessage
    var offset = 0
    var extended: UInt32?
  }

  private var chunkSize = 128
  private var last: [Int: Last] = [:]
  private var random: SeededNumbers
  private(set) var bytes: [UInt8] = []
  /// The messages in the order of their completion.
  private(set) var order: [RTMPMessage] = []
  /// The number of messages that began with each format.
  private(set) var formatCounts = [0, 0, 0, 0]

  init(seed: UInt64) { random = SeededNumbers(seed: seed) }

  /// Writes all messages.
  ///
  /// The messages of one chunk stream stay in order.
  mutating func send(_ queues: [Int: [RTMPMessage]]) {
    var queues = queues
    var pending: [Int: Pending] = [:]
    while true {
      let open = Set(queues.filter { !$0.value.isEmpty }.keys).union(pending.keys).sorted()
      guard let stream = open.randomElement(using: &random) else { return }
      if pending[stream] == nil, var queue = queues[stream] {
        if UInt8.random(in: 0...9, using: &random) == 0 { changeChunkSize() }
        let message = queue.removeFirst()
        queues[stream] = queue
        pending[stream] = Pending(message: message, extended: begin(message, on: stream))
      } else if let piece = pending[stream] {
        basicHeader(3, stream)
        if let extended = piece.extended { bytes.append(bigEndian: extended) }
      }
      guard var piece = pending[stream] else { return }
      let end = min(piece.offset + chunkSize, piece.message.payload.count)
      bytes += piece.message.payload[piece.offset..<end]
      piece.offset = end
      pending[stream] = end < piece.message.payload.count ? piece : nil
      if end == piece.message.payload.count { order.append(piece.message) }
    }
  }

  private mutating func changeChunkSize() {
    // The message that changes the chunk size has four bytes and is therefore never split.
    chunkSize = Int.random(in: 4...300, using: &random)
    basicHeader(0, 2)
    bytes += [0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0]
    bytes.append(bigEndian: UInt32(chunkSize))
  }

  private mutating func basicHeader(_ format: UInt8, _ stream: Int) {
    switch stream {
    case ..<64: bytes.append(format << 6 | UInt8(stream))
    case ..<320: bytes += [format << 6, UInt8(stream - 64)]
    default:
      bytes += [
        format << 6 | 1, UInt8((stream - 64) & 0xFF), UInt8((stream - 64) >> 8),
      ]
    }
  }

  private mutating func begin(_ message: RTMPMessage, on stream: Int) -> UInt32? {
    var formats: [UInt8] = [0]
    var step: UInt32 = 0
    if let last = last[stream], last.message.streamID == message.streamID {
      step = message.timestamp &- last.message.timestamp
      formats.append(1)
      if last.message.kind == message.kind,
        last.message.payload.count == message.payload.count
      {
        formats.append(2)
        if step == last.timeField { formats.append(3) }
      }
    }
    // Usually the shortest valid format, because it is the rarest.
    let format =
      UInt8.random(in: 0...3, using: &random) == 0
      ? formats.randomElement(using: &random) ?? 0 : formats.last ?? 0
    formatCounts[Int(format)] += 1
    let time = format == 0 ? message.timestamp : step
    last[stream] = Last(message: message, timeField: time)
    basicHeader(format, stream)
    if format <= 2 { bytes.append(bigEndian: min(time, 0xFF_FFFF), byteCount: 3) }
    if format <= 1 {
      bytes.append(bigEndian: UInt32(message.payload.count), byteCount: 3)
      bytes.append(message.kind.rawValue)
    }
    if format == 0 { bytes.append(bigEndian: message.streamID.byteSwapped) }
    guard time >= 0xFF_FFFF else { return nil }
    bytes.append(bigEndian: time)
    return time
  }
}
