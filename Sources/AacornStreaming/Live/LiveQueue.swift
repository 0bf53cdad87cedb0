/// Frames waiting to be sent, limited by their total duration.
///
/// Beyond the limit, the oldest whole frames are dropped, except one that is being sent. A frame
/// stays first until it was sent completely, so that after a broken connection it is sent again
/// from its first byte.
struct LiveQueue {
  /// The most samples that may wait.
  var limit: Int
  private var frames: [LiveFrame] = []
  /// The index in `frames` of the first waiting one; those before it are gone.
  private var first = 0
  private var isFirstOnItsWay = false
  /// Samples in all waiting frames.
  private(set) var sampleCount = 0

  init(limit: Int) { self.limit = limit }

  /// The number of waiting frames.
  var count: Int { frames.count - first }

  /// Appends a frame and returns how many were dropped for it.
  mutating func append(_ frame: LiveFrame) -> Int {
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
    var droppedCount = 0
    // The newest frame always stays, however long a frame is and however short the limit.
    while sampleCount > limit && count > (isFirstOnItsWay ? 2 : 1) {
      remove(at: isFirstOnItsWay ? first + 1 : first)
      droppedCount += 1
    }
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
