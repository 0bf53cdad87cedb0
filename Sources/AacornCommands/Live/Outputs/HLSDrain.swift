import AacornStreaming
import AacornSystem

/// The wait for HLS listeners after the end of a stream, during which the server still runs.
///
/// Each listener should receive the last segments and a playlist with `EXT-X-ENDLIST`. The wait
/// ends when every listener has received this playlist and no request has arrived for a target
/// duration. A listener that has just disconnected never requests the playlist, so the wait is
/// limited to four target durations.
struct HLSDrain {
  private let store: HLSMemoryStore
  private let start = System.nanoseconds

  /// Starts the wait, after the end of a presentation.
  init(_ store: HLSMemoryStore) {
    self.store = store
  }

  /// The number of listeners for which the wait continues.
  ///
  /// Listeners without a request in the last two target durations before the end do not count.
  var listenerCount: Int {
    let target = store.targetDuration
    let elapsed = Duration.nanoseconds(System.nanoseconds - start)
    if elapsed >= target * 4 { return 0 }
    let (count, finishedCount) = store.listeners(within: target * 2 + elapsed)
    let isQuiet = store.listeners(within: target).count == 0
    return finishedCount == count && isQuiet ? 0 : count
  }
}
