import AacornNetwork
import AacornStreaming
import AacornSystem

/// A live stream that serves a recording over HLS to listeners during the recording and for a
/// minute after.
final class RecordingHLSServer: Sendable {
  let store = HLSMemoryStore()
  /// The path of the playlist for players.
  let path: String
  private let handler: HLSHandler
  private let endTime = Lock<Int64?>(nil)

  /// Nanoseconds after the end during which listeners can still fetch the last segments.
  private static let drainTime: Int64 = 60_000_000_000

  /// Creates a stream for players that request paths beginning with `folder`, which ends in a
  /// slash.
  init(_ configuration: HLSConfiguration, title: String, below folder: String) {
    let playlist = configuration.name + ".m3u8"
    path = folder + playlist
    handler = HLSHandler(
      store, playlistName: playlist, title: title.isEmpty ? "Live" : title)
  }

  /// Starts the drain period at the end of the recording.
  func end() { endTime.withLock { $0 = System.nanoseconds } }

  /// Whether the drain period has ended.
  var isFinished: Bool {
    endTime.withLock { $0 }.map { System.nanoseconds - $0 > Self.drainTime } ?? false
  }

  /// Handles a request whose path begins with `hls`.
  func handle(_ request: HTTPRequest, _ responder: HTTPResponder) {
    var request = request
    request.components.removeFirst()
    handler.handle(request, responder)
  }
}
