import AacornSystem

/// The ledger of a file whose format cannot contain it: `NAME.gaps.json` next to the file.
///
/// It is created with the first entry, with the file's permissions, and never replaces an existing
/// file. Every entry overwrites the closing bracket in one write, so the file is always valid JSON.
package struct GapSidecar: Sendable {
  private let path: String
  private let permissions: Int?
  private var file: File?
  /// The identity of the written file, also after `close`; nil before the first entry.
  private var identity: System.FileStatus.Identity?

  private struct File {
    let opened: OpenFile
    var trace = WriteTrace()
  }

  /// Creates the ledger of the file at `path`.
  init(of path: String, permissions: Int?) {
    self.path = Self.path(of: path)
    self.permissions = permissions
  }

  /// The suffix added to the file's name.
  package static let ending = ".gaps.json"

  /// The maximum size in bytes of a ledger that is copied for a repaired file.
  package static let copyLimit = 64_000_000

  /// Returns the path of a file's ledger.
  package static func path(of path: String) -> String { path + ending }

  mutating func append(_ gap: RecordingGap) throws(SystemError) {
    guard let file else { return try create(Array("[\n\(gap.json)\n]\n".utf8)) }
    // The file ends with a line feed, the bracket and another line feed.
    let offset = file.trace.byteCount - 3
    let bytes = Array(",\n\(gap.json)\n]\n".utf8)
    try System.write(file.opened.descriptor, bytes, at: offset)
    self.file?.trace.record(bytes, at: offset)
  }

  /// Creates the file where nothing exists, not even a link.
  ///
  /// The file gets its name with its first bytes, so a crash of the program leaves no empty file.
  private mutating func create(_ bytes: [UInt8]) throws(SystemError) {
    let (temporary, descriptor) = try System.makeTemporaryFile(
      beside: path, like: nil, permissions: permissions ?? 0o666)
    do throws(SystemError) {
      // `open` applies the umask, but the given permissions must be exact.
      if let permissions { try System.setPermissions(of: descriptor, permissions) }
      try System.write(descriptor, bytes, at: 0)
      let identity = try System.status(of: descriptor).identity
      try System.move(temporary, to: path)
      self.identity = identity
      file = File(opened: OpenFile(descriptor))
      file?.trace.record(bytes, at: 0)
    } catch {
      try? System.close(descriptor)
      try? System.remove(temporary)
      throw error
    }
  }

  /// Whether the written file still exists under its name.
  var exists: Bool {
    guard let file else { return true }
    return !file.trace.hasOtherLength(file.opened.descriptor)
      && (try? System.status(of: path))?.identity == identity
  }

  /// Removes the ledger of a file that was removed.
  mutating func remove() {
    try? close()
    if let identity, (try? System.statusOfLink(path))?.identity == identity {
      try? System.remove(path)
    }
  }

  /// Completes the ledger, and flushes it and its name to disk.
  mutating func close() throws(SystemError) {
    guard let file else { return }
    self.file = nil
    defer { try? file.opened.close() }
    try System.synchronizeFolder(of: path)
    try System.synchronizeData(file.opened.descriptor)
  }
}

// The ledger in a separate file. A failure here does not end the recording: the audio is more
// important than the list of its gaps, which are also reported as events.
extension FileOutput {
  /// Whether the ledger needs a separate file, because the format cannot contain it.
  var hasSidecars: Bool { format != .m4a && path != "-" }

  mutating func list(_ gap: RecordingGap) {
    do throws(SystemError) {
      try sidecar?.append(gap)
    } catch {
      giveUpLedger(error)
    }
  }

  /// Writes a new ledger with all entries, next to the file under its current name.
  mutating func rebuildList() {
    sidecar?.remove()
    sidecar = GapSidecar(of: name, permissions: file?.permissions)
    for gap in gaps { list(gap) }
  }

  mutating func completeLedger() {
    do throws(SystemError) {
      try sidecar?.close()
    } catch {
      giveUpLedger(error)
    }
  }

  private mutating func giveUpLedger(_ error: SystemError) {
    try? sidecar?.close()
    sidecar = nil
    let list = GapSidecar.path(of: name)
    let reason =
      switch error {
      case .exists, .wouldBlock: "a file of that name already exists and was left alone"
      default: AACFileError.explanation(of: error, isWriting: true).reason
      }
    reportLoss(
      of: list,
      "The list of gaps “\(list)” cannot be written: \(reason). The recording continues without it."
    )
  }

  /// Throws if there is a ledger that would be mistaken for the ledger of a new file with this
  /// name.
  func checkForLedger(beside name: String, replacing: Bool) throws(OutputError) {
    if replacing || !hasSidecars { return }
    let list = GapSidecar.path(of: name)
    if (try? System.statusOfLink(list)) == nil { return }
    throw OutputError(
      .exists,
      "“\(list)” already exists and would be mistaken for the list of gaps of “\(name)”.",
      recoveryAction: .replaceOrRename)
  }

  func removeLedger(beside name: String) {
    if hasSidecars { try? System.remove(GapSidecar.path(of: name)) }
  }
}
