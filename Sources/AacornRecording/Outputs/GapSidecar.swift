import AacornSystem

/// The ledger of a file whose format cannot contain it: `NAME.gaps.json` next to the file.
///
/// It is created with the first entry, with the file's permissions, and never replaces an existing
/// file. Every entry overwrites the closing bracket in one write, so the file is always valid JSON.
package struct GapSidecar: Sendable {
  private let path: String
  private let permissions: Int?
  private var file: RecordingFile?
  private var identity: System.FileStatus.Identity?

  /// Creates the ledger of the file at `path`.
  init(of path: String, permissions: Int?) {
    self.path = Self.path(of: path)
    self.permissions = permissions
  }

  /// The suffix added to the file's name.
  package static let ending = ".gaps.json"

  /// Returns the path of a file's ledger.
  package static func path(of path: String) -> String { path + ending }

  /// Adds an entry.
  mutating func append(_ gap: RecordingGap) throws(OutputError) {
    guard let byteCount = file?.byteCount else {
      let text = "[\n" + gap.json + "\n]\n"
      file = try RecordingFile(new: path, Array(text.utf8), permissions: permissions)
      identity = file?.identity
      return
    }
    let text = ",\n" + gap.json + "\n]\n"
    // The file ends with a line feed, the bracket and another line feed.
    try file?.write(Array(text.utf8), at: byteCount - 3)
  }

  /// Whether the written file still exists under its name.
  var exists: Bool {
    guard let file else { return true }
    return !file.hasOtherLength && (try? System.status(of: path))?.identity == identity
  }

  /// Removes the ledger of a file that was removed.
  mutating func remove() {
    try? close()
    if let identity, (try? System.statusOfLink(path))?.identity == identity {
      try? System.remove(path)
    }
  }

  /// Completes the ledger, and flushes it to disk.
  mutating func close() throws(OutputError) {
    guard var file else { return }
    self.file = nil
    defer { try? file.close() }
    try file.synchronize()
  }
}
