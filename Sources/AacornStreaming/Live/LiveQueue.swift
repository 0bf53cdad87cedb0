/// Frames waiting to be sent, limited by their total duration.
///
/// Beyond the limit, the oldest whole frames are dropped, except one that is being sent, up to a frame
/// that a decoder can begin with. A frame stays first until it was sent completely, so that after a
/// broken connection it is sent again from its first byte.
struct LiveQueue {
  /// The most samples that may wait.
  var limit: Int
  private var frames: [LiveFrame] = []
  /// The index in `frames` of the first waiting one; those before it are gone.
  private var first = 0
  private var isFirstOnItsWay = false
  /// Whether the frames before the next appended one were dropped.
  private var awaitsEntry = false
  /// Samples in all waiting frames.
  private(set) var sampleCount = 0

  init(limit: Int) { self.limit = limit }

  /// The number of waiting frames.
  var count: Int { frames.count - first }

  /// Whether a decoder can begin with the next frame to be sent.
  var beginsWithEntry: Bool { count > 0 ? frames[first].isEntry : awaitsEntry }

  /// Appends a frame and returns the number of frames that were dropped, which may include this one.
  mutating func append(_ frame: LiveFrame) -> Int {
    if awaitsEntry && !frame.isEntry { return 1 }
    awaitsEntry = false
    frames.append(frame)
    sampleCount += frame.sampleCount
    return dropOldest()
  }

  /// The oldest frame, which stays in place until `finish` is called.
  mutating func start() -> LiveFrame? {
    guard count > 0 else { return nil }
    isFirstOnItsWay = true
    return frames[first]
  }

  /// Removes the frame from `start` if it was sent completely; otherwise keeps it, and returns how
  /// many frames were dropped because it did not leave.
  mutating func finish(wasSent: Bool) -> Int {
    guard isFirstOnItsWay else { return 0 }
    isFirstOnItsWay = false
    if !wasSent { return dropOldest() }
    remove(at: first)
    return 0
  }

  /// Puts frames back at the front, and returns how many were dropped for them.
  mutating func putBack(_ sent: [LiveFrame]) -> Int {
    frames.replaceSubrange(..<first, with: sent)
    first = 0
    sampleCount += sent.reduce(0) { $0 + $1.sampleCount }
    return dropOldest()
  }

  /// Removes everything, and returns how many frames that was.
  mutating func removeAll() -> Int {
    defer { self = LiveQueue(limit: limit) }
    return count
  }

  private mutating func dropOldest() -> Int {
    let keptCount = isFirstOnItsWay ? 1 : 0
    var droppedCount = 0
    // One more frame stays, however long a frame is and however short the limit.
    while sampleCount > limit && count > keptCount + 1 {
      remove(at: first + keptCount)
      droppedCount += 1
    }
    if droppedCount == 0 { return 0 }
    // Decoders add differences in time to the last values: after a gap, those of another sound.
    while count > keptCount && !frames[first + keptCount].isEntry {
      remove(at: first + keptCount)
      droppedCount += 1
    }
    awaitsEntry = count == keptCount
    return droppedCount
  }

  private mutating func remove(at index: Int) {
    sampleCount -= frames[index].sampleCount
    // The frame being sent takes the place of the one dropped after it.
    if index > first { frames[index] = frames[first] }
    frames[first].bytes = []
    first += 1
    if first >= 64 && first * 2 >= frames.count {
      frames.removeFirst(first)
      first = 0
    }
  }
}
