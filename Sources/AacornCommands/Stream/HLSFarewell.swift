import AacornStreaming
import AacornSystem

/// How long a server of HLS goes on after the end, so that listeners get the last segments and the
/// news that nothing follows.
///
/// Each of them is to have a playlist with `EXT-X-ENDLIST` and to be quiet for a target duration
/// after that. One that has just gone away would never ask for it: after four target durations it
/// is over in any case.
struct HLSFarewell {
  private let store: HLSMemoryStore
  private let start = System.nanoseconds

  /// Begins where a presentation has ended.
  init(_ store: HLSMemoryStore) {
    self.store = store
  }

  /// Listeners that there still are; those who asked for nothing in the last two target durations
  /// before the end are none.
  var listenerCount: Int {
    let target = store.targetDuration * 1000
    let elapsed = Int((System.nanoseconds - start) / 1_000_000)
    if elapsed >= 4 * target { return 0 }
    let (count, finishedCount) = store.listeners(withinMilliseconds: 2 * target + elapsed)
    let isQuiet = store.listeners(withinMilliseconds: target).count == 0
    return finishedCount == count && isQuiet ? 0 : count
  }
}
