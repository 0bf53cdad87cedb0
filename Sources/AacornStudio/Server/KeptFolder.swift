import AacornRecording
import AacornSystem

/// The folder for recordings while the studio runs, in which somebody may remove it.
struct KeptFolder: Sendable {
  private let path: String
  private let parentPath: String
  /// The folder that it is in.
  private let parent: System.FileStatus.Identity?

  /// Notes where a folder is.
  init(_ path: String) {
    self.path = path
    parentPath = FileName.folder(path)
    parent = (try? System.status(of: parentPath))?.identity
  }

  /// Makes the folder again, for its owner only, if it is gone from where it was; whether it was.
  ///
  /// If what it was in is not there either, it may be on a disk that was taken out, and a new one
  /// would hide that.
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
      // The recording tells why it cannot begin.
      return false
    }
  }
}
