import AacornRecording

/// A queue of frames to send, limited by the total duration.
///
/// Beyond the limit, the oldest frames are dropped, up to a frame at which a decoder can start. The
/// frame that is being sent is not dropped. It stays at the front until it was sent completely, so
/// that it is sent again from its first byte after the connection broke.
struct LiveQueue {
  /// The maximum number of samples in waiting frames.
  var limit: Int
  private var frames: [EncodedPacket] = []
  /// The index in `frames` of the first waiting frame; earlier elements are already removed.
  private var first = 0
  private var isFirstInTransit = false
  /// Whether frames were dropped up to the end of the queue, so that the next frame must be an
  /// entry point.
  private var awaitsEntry = false
  /// The number of samples in all waiting frames.
  private(set) var sampleCount = 0

  init(limit: Int) { self.limit = limit }

  var count: Int { frames.count - first }

  /// Whether a decoder can start at the next frame to send.
  var beginsWithEntry: Bool { count > 0 ? frames[first].isEntry : awaitsEntry }

  /// Appends a frame.
  ///
  /// Returns the number of dropped frames, which may include this one.
  mutating func append(_ frame: EncodedPacket) -> Int {
    if awaitsEntry && !frame.isEntry { return 1 }
    awaitsEntry = false
    frames.append(frame)
    sampleCount += frame.sampleCount
    return dropOldest()
  }

  /// Returns the oldest frame, or nil.
  ///
  /// The frame stays in the queue until `finish` is called.
  mutating func start() -> EncodedPacket? {
    guard count > 0 else { return nil }
    isFirstInTransit = true
    return frames[first]
  }

  /// Removes the frame returned by `start` if it was sent completely.
  ///
  /// Otherwise keeps it, and returns the number of frames dropped because the queue is too long.
  mutating func finish(wasSent: Bool) -> Int {
    guard isFirstInTransit else { return 0 }
    isFirstInTransit = false
    if !wasSent { return dropOldest() }
    remove(at: first)
    return 0
  }

  /// Inserts sent frames at the front again.
  ///
  /// Returns the number of frames dropped because the queue is too long.
  mutating func requeue(_ sent: [EncodedPacket]) -> Int {
    frames.replaceSubrange(..<first, with: sent)
    first = 0
    sampleCount += sent.reduce(0) { $0 + $1.sampleCount }
    return dropOldest()
  }

  mutating func removeAll() -> Int {
    defer { self = LiveQueue(limit: limit) }
    return count
  }

  private mutating func dropOldest() -> Int {
    let inTransitCount = isFirstInTransit ? 1 : 0
    var droppedCount = 0
    // At least one frame stays in addition to those in transit, even if it exceeds the limit.
    while sampleCount > limit && count > inTransitCount + 1 {
      remove(at: first + inTransitCount)
      droppedCount += 1
    }
    if droppedCount == 0 { return 0 }
    // HE-AAC codes some values as differences from the previous frame. After a gap, they would be
    // wrong.
    while count > inTransitCount && !frames[first + inTransitCount].isEntry {
      remove(at: first + inTransitCount)
      droppedCount += 1
    }
    if count == inTransitCount { awaitsEntry = true }
    return droppedCount
  }

  private mutating func remove(at index: Int) {
    sampleCount -= frames[index].sampleCount
    // The frame that is being sent moves to the index of the dropped frame after it.
    if index > first { frames[index] = frames[first] }
    frames[first].bytes = []
    first += 1
    if first >= 64 && first * 2 >= frames.count {
      frames.removeFirst(first)
      first = 0
    }
  }
}

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
