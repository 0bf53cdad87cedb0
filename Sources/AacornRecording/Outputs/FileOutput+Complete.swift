import AacornSystem

// A recording in several files is one result: what becomes of a complete one before the end is told at
// the end. It is closed by then, so that nothing can be saved, and where it was moved to is not known.
extension FileOutput {
  /// A file that is complete.
  struct CompleteFile {
    var path: String
    var identity: System.FileStatus.Identity
    var byteCount: Int
  }

  /// Notes a file that is complete but not closed yet.
  mutating func remember(_ file: RecordingFile) {
    guard file.isSeekable, let identity = file.identity else { return }
    completeFiles.append(
      CompleteFile(path: file.path, identity: identity, byteCount: file.byteCount))
  }

  /// Reports which complete files are gone, or are others.
  mutating func lookAtCompleteFiles() {
    for file in completeFiles {
      guard let fate = fate(of: file) else { continue }
      mishaps.append(
        .lost(
          name: file.path,
          OutputError(
            .lost,
            "“\(file.path)” \(fate) by another program after it was complete, while the recording "
              + "went on.")))
    }
    completeFiles = []
  }

  /// What has become of a file; nil if it is what was written, or if that cannot be seen just now.
  private func fate(of file: CompleteFile) -> String? {
    var fate = "was removed or renamed"
    // It has gone along if its folder was renamed.
    let name = file.path.split(separator: "/").last.map(String.init) ?? file.path
    for path in [file.path] + (folder?.current.map { [$0 + name] } ?? []) {
      do throws(SystemError) {
        let status = try System.status(of: path)
        if status.identity == file.identity {
          return status.size == file.byteCount ? nil : "was changed"
        }
        fate = "was replaced"
      } catch {
        if error != .notFound && error != .notFolder { return nil }
      }
    }
    return fate
  }
}
