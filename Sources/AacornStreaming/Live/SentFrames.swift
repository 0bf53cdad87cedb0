/// The last frames that were sent over a connection, in case it breaks before they arrive.
///
/// The system takes frames before the server has them. When the connection breaks, it says how many
/// bytes nobody has acknowledged: the frames that these lie in have not arrived.
struct SentFrames {
  /// Bytes that are remembered, about.
  private let limit: Int
  /// Bytes that each frame takes more on its way.
  private let extra: Int
  /// Frames, and how many bytes had been sent in all when each was.
  private var frames: [(frame: LiveFrame, end: Int)] = []
  /// Where in `frames` the first one that is remembered is.
  private var first = 0

  /// What encryption adds at least to each piece: a header of 5 bytes and a tag of 16
  /// (RFC 5246 6.2.1, RFC 7905 2).
  private static let leastExtra = 21

  init(limit: Int, isEncrypted: Bool) {
    self.limit = limit
    extra = isEncrypted ? Self.leastExtra : 0
  }

  /// Remembers a frame, up to whose last byte `end` bytes had been sent.
  mutating func append(_ frame: LiveFrame, end: Int) {
    frames.append((frame, end))
    while frames[first].end < end - limit { first += 1 }
    if first >= 64 && first * 2 >= frames.count {
      frames.removeFirst(first)
      first = 0
    }
  }

  /// The frames of which at least a part lies within the last so many bytes of `count`, as they go
  /// over the network.
  ///
  /// Rather one too many than one too few, where encryption adds more than the least.
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
