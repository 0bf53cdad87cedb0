import AacornSystem

// A recording in several files is one result, so changes of complete files are reported at the end.
// These files are closed by then. So they cannot be saved, and their new location is unknown.
extension FileOutput {
  /// A complete file of this output.
  struct CompleteFile {
    var path: String
    /// The index of the segment that ends with the file.
    var segmentIndex: Int?
    var identity: System.FileStatus.Identity
    var byteCount: Int
    /// A hash of its first bytes.
    ///
    /// It takes less memory than the bytes, and there may be many files.
    var headHash: Int
  }

  /// Stores a file that is complete but not closed yet.
  mutating func recordComplete(_ file: RecordingFile) {
    guard file.isSeekable, let identity = file.identity else { return }
    completeFiles.append(
      CompleteFile(
        path: file.path, segmentIndex: segment?.index, identity: identity,
        byteCount: file.byteCount, headHash: file.head.hashValue))
  }

  /// Reports complete files that are missing or changed.
  ///
  /// The file of the last segment was checked when it was closed, and a client may move it as soon
  /// as the closing is reported.
  mutating func checkCompleteFiles() {
    var missing: [String] = []
    for file in completeFiles where file.segmentIndex != segment?.index {
      switch state(of: file) {
      case .complete: break
      case .missing: missing.append(file.path)
      case .damaged:
        reportLoss(
          of: file.path,
          "“\(file.path)” was replaced or changed by another program after it was complete, during "
            + "the recording.")
      case .uncheckable(let error):
        reportLoss(of: file.path, "“\(file.path)” can no longer be checked: \(error.text).")
      }
    }
    if !missing.isEmpty { incidents.append(.missing(missing)) }
    completeFiles = []
  }

  private enum FileState {
    case complete, missing, damaged
    case uncheckable(SystemError)
  }

  /// Returns the state of a file; a file that this program is not permitted to check counts as
  /// complete.
  ///
  /// If a user removed the permissions of a folder, its files still exist, and they were flushed to
  /// disk. Other errors are not tolerated, because a failing disk may have lost the files.
  private func state(of file: CompleteFile) -> FileState {
    var state = FileState.missing
    // If the folder was renamed, the file moved with it, so check the new path, too.
    let name = FileName.last(file.path)
    for path in [file.path] + (folder?.current.map { [$0 + name] } ?? []) {
      do throws(SystemError) {
        if try file.isIntact(at: path) { return .complete }
        state = .damaged
      } catch {
        if error == .accessDenied || error == .notPermitted { return .complete }
        if !error.isAbsence { state = .uncheckable(error) }
      }
    }
    return state
  }
}

extension FileOutput.CompleteFile {
  /// Returns whether a path leads to the written file.
  fileprivate func isIntact(at path: String) throws(SystemError) -> Bool {
    let status = try System.status(of: path)
    if status.kind != .file || status.size != byteCount { return false }
    if status.identity == identity { return true }
    // FAT and some other file systems change the inode number of a file that has not been used for
    // a while, so compare the first bytes.
    return try WriteTrace.head(of: path).hashValue == headHash
  }
}
