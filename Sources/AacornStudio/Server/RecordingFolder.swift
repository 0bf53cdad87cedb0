import AacornRecording
import AacornSystem

/// The folder for recordings, which another program may remove while the studio runs.
struct RecordingFolder: Sendable {
  private let path: String
  private let parentPath: String
  /// The identity of the parent folder at the start.
  private let parent: System.FileStatus.Identity?

  /// Records the identity of a folder's parent.
  init(_ path: String) {
    self.path = path
    parentPath = FileName.folder(path)
    parent = (try? System.status(of: parentPath))?.identity
  }

  /// Creates the folder again, for its owner only, if it no longer exists; returns whether it was
  /// created.
  ///
  /// If the parent folder is missing or different too, the folder may be on a disconnected disk,
  /// and a new folder would hide that.
  func restore() -> Bool {
    do throws(SystemError) {
      _ = try System.status(of: path)
      return false
    } catch {
      if error != .notFound { return false }
    }
    guard let parent, (try? System.status(of: parentPath))?.identity == parent else { return false }
    do throws(SystemError) {
      try System.makeFolder(path, permissions: 0o700)
      return true
    } catch {
      // Report no error here: the recording reports why it cannot start.
      return false
    }
  }
}
