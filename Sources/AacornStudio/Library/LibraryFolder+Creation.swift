import AacornNetwork
import AacornRecording
import AacornSystem

// The check and the creation of the folder.
extension LibraryFolder {
  /// Returns why the folder is not writable, in sentences; nil if it is, as far as that is known
  /// without writing.
  static func writingProblem(_ path: String) -> String? {
    do throws(SystemError) {
      try System.checkWriting(into: path)
      return nil
    } catch {
      let reason = AACFileError.reason(of: error)
      return "Nothing can be recorded, because the folder “\(displayed(path))” is not writable:"
        + " \(reason). Existing recordings can be played. Check its permissions, or choose"
        + " another folder."
    }
  }

  /// Creates a missing folder and its parents for its owner only, since the user has not agreed to
  /// give other users access to the recordings.
  static func make(_ path: String) throws(NetworkError) {
    if path.isEmpty { throw NetworkError(.notFound, "The folder has an empty name.") }
    do throws(SystemError) {
      try ensure(path)
    } catch {
      let reason =
        switch error {
        case .exists, .notFolder: "a file with that name already exists"
        default: AACFileError.reason(of: error)
        }
      throw NetworkError(
        .forbidden,
        "The folder “\(displayed(path))” cannot be created: \(reason). Choose another for the"
          + " recordings.")
    }
  }

  private static func ensure(_ path: String) throws(SystemError) {
    if let status = try? System.status(of: path) {
      if status.kind != .folder { throw .notFolder }
      return
    }
    if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
      try ensure(String(path[..<slash]))
    }
    // With a trailing slash, the previous call has already created the folder.
    if path.hasSuffix("/") { return }
    do throws(SystemError) {
      try System.makeFolder(path, permissions: 0o700)
    } catch {
      // Another program may have created the folder at the same time, which is not an error.
      if error != .exists || (try? System.status(of: path))?.kind != .folder { throw error }
    }
  }

  /// Creates the folder again, for its owner only, if another program has removed it; returns
  /// whether it was created.
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
    guard let parent, (try? System.status(of: FileName.folder(path)))?.identity == parent else {
      return false
    }
    // Report no error here: the recording reports why it cannot start.
    return (try? System.makeFolder(path, permissions: 0o700)) != nil
  }
}
