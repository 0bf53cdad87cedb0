import AacornSystem

// A recording in several files is one result: what becomes of a complete one before the end is told at
// the end. It is closed by then, so that nothing can be saved, and where it was moved to is not known.
extension FileOutput {
  /// A file that is complete.
  struct CompleteFile {
    var path: String
    /// The segment that it ends.
    var segmentIndex: Int?
    var identity: System.FileStatus.Identity
    var byteCount: Int
    /// A hash of its first bytes, since there may be many files.
    var headHash: Int
  }

  /// Notes a file that is complete but not closed yet.
  mutating func remember(_ file: RecordingFile) {
    guard file.isSeekable, let identity = file.identity else { return }
    completeFiles.append(
      CompleteFile(
        path: file.path, segmentIndex: segment?.index, identity: identity,
        byteCount: file.byteCount, headHash: file.head.hashValue))
  }

  /// Reports which complete files are away, or are others.
  ///
  /// That of the last segment was looked at when it was closed, and may be taken as soon as it is told.
  mutating func lookAtCompleteFiles() {
    var away: [String] = []
    for file in completeFiles where file.segmentIndex != segment?.index {
      switch fate(of: file) {
      case .whole: break
      case .away: away.append(file.path)
      case .damaged:
        lose(
          file,
          "was replaced or changed by another program after it was complete, while the recording "
            + "went on.")
      case .unseen(let error): lose(file, "cannot be looked at any more: \(error.text).")
      }
    }
    if !away.isEmpty { mishaps.append(.away(away)) }
    completeFiles = []
  }

  private mutating func lose(_ file: CompleteFile, _ words: String) {
    mishaps.append(.lost(name: file.path, OutputError(.lost, "“\(file.path)” \(words)")))
  }

  private enum Fate {
    case whole, away, damaged
    case unseen(SystemError)
  }

  /// What has become of a file, which counts as whole if this program is not allowed to see that.
  ///
  /// Whoever closes a folder has its files, and they were flushed to disk; a disk that fails may not have them.
  private func fate(of file: CompleteFile) -> Fate {
    var fate = Fate.away
    // It has gone along if its folder was renamed.
    let name = file.path.split(separator: "/").last.map(String.init) ?? file.path
    for path in [file.path] + (folder?.current.map { [$0 + name] } ?? []) {
      do throws(SystemError) {
        if try file.isWhole(at: path) { return .whole }
        fate = .damaged
      } catch {
        if error == .accessDenied || error == .notPermitted { return .whole }
        if !error.isAbsence { fate = .unseen(error) }
      }
    }
    return fate
  }
}

extension FileOutput.CompleteFile {
  /// Whether a path leads to what was written.
  fileprivate func isWhole(at path: String) throws(SystemError) -> Bool {
    let status = try System.status(of: path)
    if status.kind != .file || status.size != byteCount { return false }
    if status.identity == identity { return true }
    // FAT and some other file systems number a file anew when it has not been used for a while.
    return try WriteTrace.head(of: path).hashValue == headHash
  }
}
