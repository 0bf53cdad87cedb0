import AacornContainers
import AacornSystem

/// Marks on the disk for the files that the studio is working on.
///
/// If a file crashes the process, its mark stays. The next start finds the mark and skips that
/// file: the file is in quarantine until a user tries it again, or until it changes.
///
/// Marks are in `.aacorn-begun` inside the library, under the name of the recording or the ID of
/// the upload. They are locked while work is in progress, so that another studio in the same folder
/// does not mistake them for marks left by a crash.
struct WorkMarks {
  private let path: String
  /// The files being worked on: the open mark, and the number of threads that work on the file.
  private var current: [String: (mark: OpenFile?, count: Int)] = [:]
  /// The files in quarantine, in the state that crashed the process; nil for any state.
  private var quarantined: [String: RecordingVersion?] = [:]

  /// The name of the folder of marks inside the library.
  static let folderName = ".aacorn-begun"
  /// The maximum number of bytes to read from a mark, more than a mark has.
  private static let byteLimit = 64

  /// Finds the files that an earlier process was working on when it crashed.
  init(_ folder: LibraryFolder) {
    path = folder.path(of: Self.folderName)
    let uploads = folder.path(of: UploadStore.folderName)
    for name in LibraryFolder.names(in: path) where !System.isTaken(path(of: name)) {
      let paths = [folder.path(of: name), uploads + "/" + name]
      if paths.contains(where: { (try? System.statusOfLink($0))?.kind == .file }) {
        quarantined[name] = .some(Self.version(in: path(of: name)))
      } else {
        try? System.remove(path(of: name))
      }
    }
    removeFolderIfEmpty()
  }

  /// Whether a file is in quarantine in this state; a file in another state is released.
  mutating func isQuarantined(_ name: String, _ version: RecordingVersion?) -> Bool {
    guard let kept = quarantined[name] else { return false }
    if kept == nil || version == nil || kept == version { return true }
    release(name)
    return false
  }

  /// Marks a file, and ends its quarantine.
  ///
  /// `version` is nil for a file that the work itself may change.
  ///
  /// If the mark cannot be written, as on a read-only disk, the work proceeds without a mark.
  mutating func begin(_ name: String, _ version: RecordingVersion?) {
    if let entry = current[name] {
      current[name] = (entry.mark, entry.count + 1)
      return
    }
    release(name)
    try? System.makeFolder(path, permissions: 0o700)
    current[name] = (isFolder ? try? write(version, to: path(of: name)) : nil, 1)
  }

  /// Removes the mark of a file once the last thread has finished its work on the file.
  mutating func end(_ name: String) {
    guard let entry = current[name] else { return }
    if entry.count > 1 {
      current[name] = (entry.mark, entry.count - 1)
      return
    }
    // The mark is removed before it is closed, and so unlocked.
    if entry.mark != nil { try? System.remove(path(of: name)) }
    current[name] = nil
    removeFolderIfEmpty()
  }

  /// Ends the quarantine of a file.
  mutating func release(_ name: String) {
    guard quarantined.removeValue(forKey: name) != nil else { return }
    try? System.remove(path(of: name))
    removeFolderIfEmpty()
  }

  /// Moves the quarantine of a file to its new name; `version` is the current state of the file.
  mutating func move(_ name: String, to newName: String, _ version: RecordingVersion) {
    guard quarantined[name] != nil else { return }
    _ = try? write(version, to: path(of: newName))
    quarantined[newName] = .some(version)
    release(name)
  }

  private func path(of name: String) -> String { path + "/" + name }

  private var isFolder: Bool { (try? System.statusOfLink(path))?.kind == .folder }

  private func removeFolderIfEmpty() {
    if current.isEmpty && quarantined.isEmpty { try? System.removeFolder(path) }
  }

  /// Writes a mark, and returns it open and locked.
  private func write(_ version: RecordingVersion?, to path: String) throws(SystemError) -> OpenFile
  {
    let mark = OpenFile(try System.open(path, for: .creating, permissions: 0o600))
    try System.lock(mark.descriptor)
    if let version {
      try System.write(mark.descriptor, Array(version.text.utf8), at: 0)
    }
    return mark
  }

  private static func version(in path: String) -> RecordingVersion? {
    guard let file = try? FileBytes(path), let bytes = try? file.read(0, byteLimit),
      let text = String(utf8: bytes)
    else { return nil }
    return RecordingVersion(text)
  }
}

extension StudioLibrary {
  /// Does work on a file while its mark is on the disk.
  func marking<Value, Failure>(
    _ name: String, _ version: RecordingVersion?, _ work: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    marks.withLock { $0.begin(name, version) }
    defer { marks.withLock { $0.end(name) } }
    return try work()
  }

  /// Whether a recording is in quarantine.
  func isQuarantined(_ item: LibraryFolder.Item) -> Bool {
    marks.withLock { $0.isQuarantined(item.name.text, item.version) }
  }

  /// Ends the quarantine of a recording, which is then examined again; runs on the disk thread.
  func tryAgain(_ text: String) throws(StudioError) -> JSONValue {
    let item = try idleItem(text)
    marks.withLock { $0.release(item.name.text) }
    state.withLock { $0.catalog.dropFacts(of: item.name) }
    return Self.named(item.name)
  }
}
