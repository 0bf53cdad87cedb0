/// The last frames sent over a connection, in case it breaks before they arrive, or the next
/// connection must begin earlier.
///
/// The system accepts frames before the server has them. When the connection breaks, it reports how
/// many bytes were not acknowledged: the frames that contain these have not arrived.
struct SentFrames {
  /// The approximate number of bytes to remember.
  private let limit: Int
  /// Additional bytes per frame in transit.
  private let extra: Int
  /// Frames, each with the total number of bytes sent at its end.
  private var frames: [(frame: LiveFrame, end: Int)] = []
  /// The index in `frames` of the first one remembered.
  private var first = 0

  /// The least that encryption adds to each piece: a header of 5 bytes and a tag of 16 (RFC 5246
  /// 6.2.1, RFC 7905 2).
  private static let leastExtra = 21

  init(limit: Int, isEncrypted: Bool) {
    self.limit = limit
    extra = isEncrypted ? Self.leastExtra : 0
  }

  /// Remembers a frame; `end` is the total number of bytes sent up to its last byte.
  mutating func append(_ frame: LiveFrame, end: Int) {
    frames.append((frame, end))
    while frames[first].end < end - limit { first += 1 }
    if first >= 64 && first * 2 >= frames.count {
      frames.removeFirst(first)
      first = 0
    }
  }

  /// Removes the last frames.
  mutating func removeLast(_ count: Int) { frames.removeLast(count) }

  /// The last frames, from one that a decoder can begin with; none if that was forgotten.
  var framesSinceEntry: [LiveFrame] {
    guard let start = frames[first...].lastIndex(where: \.frame.isEntry) else { return [] }
    return frames[start...].map(\.frame)
  }

  /// The frames that lie at least partly within the last `missingCount` of `count` bytes, as they
  /// are transmitted.
  ///
  /// Rather one too many than one too few, if encryption adds more than the least.
  func frames(withinLast missingCount: Int, of count: Int) -> [LiveFrame] {
    var end = count
    var rest = missingCount
    var start = frames.count
    while start > first {
      rest -= end - frames[start - 1].end
      guard rest > 0 else { break }
      start -= 1
      end = frames[start].end
      rest -= extra
    }
    return frames[start...].map(\.frame)
  }
}
