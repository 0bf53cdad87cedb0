import AacornSystem

/// The ledger of a file whose format has no place for it: `NAME.gaps.json` beside it.
///
/// Made with the first entry, as open to others as the file; what has its name already is never
/// replaced. Every entry overwrites the closing bracket in one write, so the file is whole JSON at
/// any time.
package struct GapSidecar: Sendable {
  private let path: String
  private let permissions: Int?
  private var file: RecordingFile?
  private var identity: System.FileStatus.Identity?

  /// The ledger of the file at `path`.
  init(of path: String, permissions: Int?) {
    self.path = Self.path(of: path)
    self.permissions = permissions
  }

  /// What its name has after that of the file.
  package static let ending = ".gaps.json"

  /// Where the ledger of a file is.
  package static func path(of path: String) -> String { path + ending }

  /// Adds an entry.
  mutating func append(_ gap: Gap) throws(OutputError) {
    let isFirst = file == nil
    if isFirst {
      file = try RecordingFile(new: path, permissions: permissions)
      identity = file?.identity
    }
    guard let byteCount = file?.byteCount else { return }
    let text = (isFirst ? "[\n" : ",\n") + gap.json + "\n]\n"
    // Before the end stand a line feed, the bracket and another line feed.
    try file?.write(Array(text.utf8), at: max(0, byteCount - 3))
  }

  /// Whether what was written is still there under its name.
  var isThere: Bool {
    guard let file else { return true }
    return !file.hasOtherLength && (try? System.status(of: path))?.identity == identity
  }

  /// It is nobody's ledger any more.
  mutating func remove() {
    close()
    if let identity, (try? System.statusOfLink(path))?.identity == identity {
      try? System.remove(path)
    }
  }

  /// The ledger is complete.
  mutating func close() {
    try? file?.synchronize()
    try? file?.close()
    file = nil
  }
}
