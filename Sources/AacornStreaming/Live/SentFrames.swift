import AacornRecording

/// The last frames sent over a connection.
///
/// The frames are sent again if the connection breaks before they arrive, or if the next connection
/// must begin with an earlier entry point.
///
/// The system accepts frames before the server has them. When the connection breaks, the system
/// reports the number of unacknowledged bytes. The frames with these bytes have not arrived.
struct SentFrames {
  /// The approximate number of bytes to retain.
  private let limit: Int
  /// The minimum overhead of encryption, in bytes per frame.
  private let extra: Int
  /// Frames, each with the total number of bytes sent up to its end.
  private var frames: [(frame: EncodedPacket, end: Int)] = []

  /// The minimum overhead of encryption per piece: a header of 5 bytes and a tag of 16 (RFC 5246
  /// 6.2.1, RFC 7905 2).
  private static let minOverhead = 21

  init(limit: Int, isEncrypted: Bool) {
    self.limit = limit
    extra = isEncrypted ? Self.minOverhead : 0
  }

  /// Appends a frame.
  ///
  /// `end` is the total number of bytes sent up to its last byte.
  mutating func append(_ frame: EncodedPacket, end: Int) {
    frames.append((frame, end))
    frames.removeFirst(frames.prefix { $0.end < end - limit }.count)
  }

  mutating func removeLast(_ count: Int) { frames.removeLast(count) }

  /// The frames from the last one at which a decoder can start.
  ///
  /// Empty if no such frame is retained.
  var framesSinceEntry: [EncodedPacket] {
    guard let start = frames.lastIndex(where: \.frame.isEntry) else { return [] }
    return frames[start...].map(\.frame)
  }

  /// Returns the frames that are at least partly within the last `missingCount` of `count`
  /// transmitted bytes.
  ///
  /// If encryption adds more than the minimum, the result has a frame too many rather than one too
  /// few.
  func frames(withinLast missingCount: Int, of count: Int) -> [EncodedPacket] {
    var end = count
    var rest = missingCount
    var start = frames.count
    while start > 0 {
      rest -= end - frames[start - 1].end
      guard rest > 0 else { break }
      start -= 1
      end = frames[start].end
      rest -= extra
    }
    return frames[start...].map(\.frame)
  }
}
