import AacornContainers
import AacornInspection
import AacornSoundFiles
import AacornSystem

/// A file that grows in complete pieces: the bytes of an `append` are written completely or not at
/// all, unless the machine itself stops.
///
/// The file has its final name from the first byte on, so that a recording can be found after a
/// crash.
struct RecordingFile: Sendable {
  /// The path with which the file was opened, or to which it has since been moved.
  private(set) var path: String
  /// Whether written bytes can be changed; false for pipes and devices.
  let isSeekable: Bool
  private var trace = WriteTrace()
  /// The open file; nil for standard output, which stays open.
  private let opened: OpenFile?
  /// The path if its folder could not be flushed to disk yet.
  private var unflushedPath: String?
  /// Whether all bytes were flushed to disk.
  private(set) var isFlushed = true

  private var descriptor: Int32 { opened?.descriptor ?? System.standardOutput }

  var byteCount: Int { trace.byteCount }
  /// The first bytes of the file, which identify it.
  var head: [UInt8] { trace.head }

  /// Creates the file, which must not exist unless it may be replaced; `-` is standard output.
  ///
  /// Waits some seconds for a reader of a named pipe, or until `isCancelled`.
  ///
  /// A new file gets `permissions`, if given, otherwise the permissions of the umask.
  init(
    _ path: String, replacing: Bool, permissions: Int? = nil,
    isCancelled: @Sendable () -> Bool = { false }
  ) throws(OutputError) {
    if path == "-" {
      self.path = "standard output"
      opened = nil
      // False even if standard output is a file: another program may already have written to it.
      isSeekable = false
      return
    }
    self.path = path
    let existing = try? System.status(of: path)
    // With a symbolic link, the target is replaced, and the link stays.
    let target = existing == nil ? path : (try? System.resolved(path)) ?? path
    System.removeLeftovers(beside: target)
    do throws(SystemError) {
      switch existing?.kind {
      case .other, .link:
        guard let pipe = try System.openPipe(path, isCancelled: isCancelled) else {
          throw .interrupted
        }
        opened = OpenFile(pipe)
        isSeekable = false
        return
      case .folder: throw .isFolder
      case .file where !replacing: throw System.isTaken(target) ? .wouldBlock : .exists
      case .file: opened = OpenFile(try System.replaceFile(target))
      case nil:
        if System.isBrokenLink(path) { throw .brokenLink }
        opened = OpenFile(try Self.create(target, permissions))
        isSeekable = true
        return
      }
      isSeekable = true
      unflushedPath = target
      // The old content was removed, so a failure ends the recording only if it lasts.
      try? flushName()
    } catch {
      throw OutputError(error, writing: path)
    }
  }

  /// Creates a file under a hidden name next to another file, with the other file's permissions.
  ///
  /// Throws if the other file has further hard links, which would keep the old content.
  init(besides other: RecordingFile) throws(OutputError) {
    isSeekable = true
    do throws(SystemError) {
      // With a symbolic link, the target is replaced, and the link stays.
      let target = try System.resolved(other.path)
      let status = try System.status(of: other.descriptor)
      if status.linkCount != 1 { throw .exists }
      let descriptor: Int32
      (path, descriptor) = try System.makeTemporaryFile(beside: target, like: status)
      opened = OpenFile(descriptor)
    } catch {
      throw OutputError(error, writing: other.path)
    }
  }

  /// Renames the file to the name of another file, which loses its name.
  mutating func adoptName(of other: RecordingFile) throws(OutputError) {
    do throws(SystemError) {
      let target = try System.resolved(other.path)
      let own = try System.status(of: other.descriptor)
      guard try System.status(of: target).identity == own.identity else { throw .exists }
      try System.rename(path, to: target)
      path = other.path
      try? System.synchronizeFolder(of: target)
    } catch {
      throw OutputError(error, writing: other.path)
    }
  }

  private static func create(_ path: String, _ permissions: Int?) throws(SystemError) -> Int32 {
    let descriptor = try System.open(path, for: .creating, permissions: permissions ?? 0o666)
    do throws(SystemError) {
      // `open` applies the umask, but the given permissions must be exact: they are from an
      // existing file.
      if let permissions { try System.setPermissions(of: descriptor, permissions) }
      // If another program replaced the new file in the meantime, that program holds the lock.
      try System.lock(descriptor)
      try System.synchronizeFolder(of: path)
      return descriptor
    } catch {
      try? System.close(descriptor)
      // Remove the empty file, unless another program has locked it.
      if error != .wouldBlock { try? System.remove(path) }
      throw error
    }
  }

  private func failure(_ error: SystemError) -> OutputError { OutputError(error, writing: path) }

  /// Appends all of the bytes or, if they do not fit, none.
  mutating func append(_ bytes: [UInt8]) throws(OutputError) {
    do throws(SystemError) {
      if isSeekable {
        try System.write(descriptor, bytes, at: byteCount)
      } else {
        try System.write(descriptor, bytes)
      }
    } catch {
      if isSeekable { try? System.truncate(descriptor, to: byteCount) }
      throw OutputError(error, writing: path)
    }
    isFlushed = false
    trace.record(bytes, at: byteCount)
  }

  /// Overwrites bytes, or appends some at the end.
  mutating func write(_ bytes: [UInt8], at offset: Int) throws(OutputError) {
    try rethrow(as: failure, System.write(descriptor, bytes, at: offset))
    isFlushed = false
    trace.record(bytes, at: offset)
  }

  /// Removes bytes at the end, unless the disk fails.
  mutating func cut(to byteCount: Int) {
    if (try? System.truncate(descriptor, to: byteCount)) == nil { return }
    trace.cut(to: byteCount)
  }

  /// Reads bytes from the file, fewer at its end, and none after an error.
  func read(at offset: Int, count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: max(0, count))
    let filled = (try? System.fill(&bytes, from: descriptor, at: offset)) ?? 0
    bytes.removeLast(bytes.count - filled)
    return bytes
  }

  /// Flushes the folder to disk if that failed before.
  private mutating func flushName() throws(SystemError) {
    guard let path = unflushedPath else { return }
    try System.synchronizeFolder(of: path)
    unflushedPath = nil
  }

  mutating func synchronize() throws(OutputError) {
    guard isSeekable else { return }
    do throws(SystemError) {
      try flushName()
      try System.synchronizeData(descriptor)
      isFlushed = true
    } catch {
      throw OutputError(error, writing: path)
    }
  }

  /// The identity of the file under all its names; nil for standard output.
  var identity: System.FileStatus.Identity? {
    opened == nil ? nil : try? System.status(of: descriptor).identity
  }

  /// The permissions of the file; nil if unknown.
  var permissions: Int? { try? System.status(of: descriptor).permissions }

  func close() throws(OutputError) {
    guard let opened else { return }
    try rethrow(as: failure, opened.close())
  }

  /// Removes the file, unless its name belongs to another file.
  func remove() {
    let own = try? System.status(of: descriptor).identity
    let isOurs = own != nil && (try? System.status(of: path))?.identity == own
    try? close()
    if isSeekable && isOurs { try? System.remove(path) }
  }

  /// A change of a file by another program during the recording.
  enum FileIncident: Equatable {
    /// The file has another name and all its bytes.
    case moved(from: String)
    /// The file has lost its name, perhaps to another file; its bytes exist until it is closed.
    case removed
    /// The length or the content differs from the written data.
    case modified
  }

  /// Whether another program has changed the length of the file.
  ///
  /// Check before appending bytes, which would hide the change.
  var hasOtherLength: Bool { isSeekable && trace.hasOtherLength(descriptor) }

  /// Checks whether the file is intact, and still exists under its name.
  mutating func check() -> FileIncident? {
    guard isSeekable, let own = try? System.status(of: descriptor) else { return nil }
    // A failing disk is reported when the file is written.
    if (try? trace.isIntact(descriptor)) == false { return .modified }
    do throws(SystemError) {
      if try System.status(of: path).identity == own.identity { return nil }
    } catch {
      // A file that cannot be checked just now, such as in a folder without access, may well exist.
      if !error.isAbsence { return nil }
    }
    // If the new name is unknown, treat the file as removed.
    guard own.linkCount > 0, let newPath = System.path(of: descriptor) else { return .removed }
    let oldPath = path
    path = newPath
    return .moved(from: oldPath)
  }

  mutating func append(contentsOf other: RecordingFile) throws(OutputError) {
    while byteCount < other.byteCount {
      let bytes = other.read(at: byteCount, count: min(1 << 20, other.byteCount - byteCount))
      if bytes.isEmpty { throw OutputError(.device, writing: path) }
      try append(bytes)
    }
  }

  /// Adds the tables to an interrupted recording, if they fit on the disk.
  ///
  /// The recording is playable without them, too.
  mutating func completeMovie() {
    let file = self
    let wholeByteCount = byteCount
    let outcome = FileRepair.estimate(byteCount: UInt64(wholeByteCount)) { offset, count in
      file.read(at: Int(offset), count: count)
    }
    guard case .repairable(let plan) = outcome, var writes = plan.inPlace?.writes else { return }
    do throws(OutputError) {
      while let next = writes.next() {
        if next.needsSync { try synchronize() }
        try write(next.bytes, at: Int(next.offset))
      }
    } catch {
      // There was no room for the tables after the audio. The bytes before the tables have not
      // changed yet.
      cut(to: wholeByteCount)
    }
  }
}
