import Platform
import Streaming

/// The folder with recordings: what is in it, and what pages do with it.
final class StudioLibrary: Sendable {
  /// The folder, as it was given.
  let folder: String

  init(folder: String, events: EventHub) { self.folder = folder }

  /// Deals with a request whose path is `api/…` or `recordings/…`; false if it is not about the
  /// library.
  ///
  /// Called on the server's thread, so nothing here may wait.
  func handle(_ path: [String], _ request: HTTPRequest, _ responder: HTTPResponder) -> Bool { false }

  /// The name of a new file of this suffix that is not there yet, such as
  /// `recording-20260301-123456.m4a`, or made from the wanted name.
  func newName(suffix: String, wish: String?) -> String { "" }

  /// A file is being written by the recorder, or is no longer: until then it can neither be renamed
  /// nor deleted.
  func setRecording(_ name: String, _ isRecording: Bool) {}

  /// Ends work that is going on.
  func stop() {}
}
