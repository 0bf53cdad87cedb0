import AacornStreaming
import AacornSystem

/// Keeps an HLS server running after the end, so that listeners get the last segments and the news
/// that nothing follows.
///
/// Each of them should get a playlist with `EXT-X-ENDLIST` and then be quiet for a target duration.
/// One that has just left would never request it: after four target durations it is over in any
/// case.
struct HLSFarewell {
  private let store: HLSMemoryStore
  private let start = System.nanoseconds

  /// Starts when a presentation has ended.
  init(_ store: HLSMemoryStore) {
    self.store = store
  }

  /// The remaining listeners, without those that requested nothing in the last two target durations
  /// before the end.
  var listenerCount: Int {
    let target = store.targetDuration
    let elapsed = Duration.nanoseconds(System.nanoseconds - start)
    if elapsed >= target * 4 { return 0 }
    let (count, finishedCount) = store.listeners(within: target * 2 + elapsed)
    let isQuiet = store.listeners(within: target).count == 0
    return finishedCount == count && isQuiet ? 0 : count
  }
}
