/// Frames that wait to be sent, bounded by how long they last.
///
/// When more waits than may, the oldest whole frames are dropped, except one that is being sent.
/// A frame stays first until it was sent whole, so that one whose connection broke is sent again,
/// from its first byte, over the next.
struct LiveQueue {
  /// Samples that may wait.
  var limit: Int
  private var frames: [LiveFrame] = []
  /// Where in `frames` the first one that waits is; those before it are gone.
  private var first = 0
  private var isFirstOnItsWay = false
  /// Samples of all that wait.
  private(set) var sampleCount = 0

  init(limit: Int) { self.limit = limit }

  /// How many wait.
  var count: Int { frames.count - first }

  /// Puts a frame behind the others and says how many were dropped for it.
  mutating func append(_ frame: LiveFrame) -> Int {
    frames.append(frame)
    sampleCount += frame.sampleCount
    return dropOldest()
  }

  /// The oldest frame, which stays where it is until `finish` is called.
  mutating func start() -> LiveFrame? {
    guard count > 0 else { return nil }
    isFirstOnItsWay = true
    return frames[first]
  }

  /// Takes away the frame that `start` gave, which was sent whole; or, when it was not, keeps it,
  /// and says how many frames were dropped because it did not leave.
  mutating func finish(wasSent: Bool) -> Int {
    guard isFirstOnItsWay else { return 0 }
    isFirstOnItsWay = false
    if !wasSent { return dropOldest() }
    remove(at: first)
    return 0
  }

  /// Puts frames back before those that wait, and says how many were dropped for them.
  mutating func putBack(_ sent: [LiveFrame]) -> Int {
    frames.replaceSubrange(..<first, with: sent)
    first = 0
    sampleCount += sent.reduce(0) { $0 + $1.sampleCount }
    return dropOldest()
  }

  /// Forgets all, and says how many that was.
  mutating func removeAll() -> Int {
    defer { self = LiveQueue(limit: limit) }
    return count
  }

  private mutating func dropOldest() -> Int {
    var droppedCount = 0
    // The newest frame stays, however long a frame and however short the limit.
    while sampleCount > limit && count > (isFirstOnItsWay ? 2 : 1) {
      remove(at: isFirstOnItsWay ? first + 1 : first)
      droppedCount += 1
    }
    return droppedCount
  }

  private mutating func remove(at index: Int) {
    sampleCount -= frames[index].sampleCount
    // The frame on its way takes the place of the one dropped behind it.
    if index > first { frames[index] = frames[first] }
    frames[first].bytes = []
    first += 1
    if first >= 64 && first * 2 >= frames.count {
      frames.removeFirst(first)
      first = 0
    }
  }
}
