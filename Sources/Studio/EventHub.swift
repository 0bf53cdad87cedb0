import Platform
import Streaming

/// Pages that listen to what happens, by server-sent events (HTML, 9.2).
final class EventHub: Sendable {
  init() {}

  /// Pages that listen just now.
  var listenerCount: Int { 0 }

  /// Tells all pages how something is now; JSON on one line.
  ///
  /// Who connects later is told the latest of each name at once, and who falls behind gets the
  /// latest when there is room again.
  func tell(_ name: String, _ json: String) {}

  /// Tells all pages something of the moment, which who falls behind never gets.
  func mention(_ name: String, _ json: String) {}

  /// The answer for a page that wants to listen.
  func attach() -> HTTPResponse { .notFound }

  /// Ends all streams.
  func close() {}
}
