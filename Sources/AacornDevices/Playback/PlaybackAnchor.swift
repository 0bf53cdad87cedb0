import Synchronization

/// Tells a feed when its frames sound, block by block, on the device's thread.
final class PlaybackAnchor: Sendable {
  private let feed: PlaybackFeed
  private let wasFull = Atomic<Bool>(false)

  init(_ feed: PlaybackFeed) {
    self.feed = feed
  }

  /// Notes the time of a block that was just read from the feed, of which the first `count` frames
  /// are samples.
  ///
  /// Of a silence only the beginning counts: its frames have no numbers, so later times would move
  /// the frame before it.
  func note(_ count: Int, of frameCount: Int, soundsAt time: Int64) {
    if count > 0 || wasFull.load(ordering: .relaxed) {
      feed.note(frame: feed.takenFrameCount - count, soundsAt: time)
    }
    wasFull.store(count == frameCount, ordering: .relaxed)
  }
}
