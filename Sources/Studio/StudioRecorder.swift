import Platform
import Streaming

/// Records in the studio: answers what pages ask for, and tells them how it goes.
final class StudioRecorder: Sendable {
  init(library: StudioLibrary, events: EventHub) {}

  /// Deals with a request whose path is `api/…`; false if it is not about recording.
  ///
  /// Called on the server's thread, so nothing here may wait.
  func handle(_ path: [String], _ request: HTTPRequest, _ responder: HTTPResponder) -> Bool { false }

  /// Ends everything in order and returns when it has ended.
  func stop() {}
}
