import AacornStreaming
import AacornSystem
import AacornWeb

/// Serves a recording to listeners while it is made, and for a while after.
final class HLSPlace: Sendable {
  let store = HLSMemoryStore()
  /// The path of the playlist for players.
  let path: String
  private let handler: HLSHandler
  private let endTime = Lock<Int64?>(nil)

  /// Nanoseconds for which listeners can still fetch the remainder.
  private static let farewell: Int64 = 60_000_000_000

  /// Creates a place whose players request paths that begin with `folder`, which ends in a slash.
  init(_ configuration: HLSConfiguration, title: String, below folder: String) {
    let playlist = configuration.name + ".m3u8"
    path = folder + playlist
    handler = HLSHandler(
      store, playlistName: playlist, title: title.isEmpty ? "Live" : title)
  }

  /// Records that the recording has ended.
  func end() { endTime.withLock { $0 = System.nanoseconds } }

  /// Whether it is too late to listen.
  var isOver: Bool {
    endTime.withLock { $0 }.map { System.nanoseconds - $0 > Self.farewell } ?? false
  }

  /// Handles a request whose path begins with `hls`.
  func handle(_ request: HTTPRequest, _ responder: HTTPResponder) {
    var request = request
    request.components.removeFirst()
    handler.handle(request, responder)
  }
}
