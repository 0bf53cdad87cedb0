package import AacornSystem

/// A file that appears under its name when it is complete, or a stream to a pipe.
///
/// Bytes go to a temporary file in the target's folder. `commit()` flushes them to disk (fsync),
/// then atomically gives the file its name, and flushes the folder. So a name never refers to a
/// partial file, even after a power cut. If the work ends before `commit()`, the temporary file is
/// removed. If another program truncates, replaces or removes the temporary file, `commit()` fails;
/// bytes overwritten in its middle are not detected (`WriteTrace`). The new file keeps the
/// permissions of a replaced one. A file that another Aacorn process is writing is not replaced.
package final class OutputFile {
  /// The number of bytes that a pipe accepts without blocking once it has room (POSIX, PIPE_BUF).
  private static let pipeBlock = 4096
  private static let bufferSize = 65_536

  /// The final name of the file.
  package let path: String
  /// Whether earlier bytes can be overwritten.
  package let isSeekable: Bool
  /// The number of accepted bytes.
  package private(set) var byteCount = 0
  /// Whether the file is complete and has its name; its folder may not be flushed yet.
  package private(set) var isInPlace = false
  private let replacesExisting: Bool
  /// Whether an existing file is kept if it has the same bytes.
  private let acceptsEqual: Bool
  private let interruption: Interruption
  private var descriptor: Int32?
  private var temporaryPath: String?
  /// The file to replace, locked so that no other program replaces it in the meantime.
  private var replaced: Int32?
  private var buffer: [UInt8] = []
  /// A record of the written bytes.
  private var trace = WriteTrace()

  /// Opens an output; `-` is standard output, and a device or pipe is written directly.
  ///
  /// A new file gets the permissions of `model`, if given. If `acceptsEqual` is true and `replacing`
  /// is false, `commit()` keeps an existing file with the same bytes, and throws for other bytes.
  package init(
    _ path: String, replacing: Bool, acceptsEqual: Bool = false,
    like model: System.FileStatus? = nil, interruption: Interruption
  ) throws(AACFileError) {
    self.interruption = interruption
    self.acceptsEqual = acceptsEqual && !replacing
    buffer.reserveCapacity(Self.bufferSize)
    if path == "-" {
      self.path = "standard output"
      descriptor = System.standardOutput
      isSeekable = false
      replacesExisting = false
      return
    }
    let existing = try? System.status(of: path)
    // With a symbolic link, the target is replaced, and the link stays.
    self.path = existing != nil ? (try? System.resolved(path)) ?? path : path
    replacesExisting = replacing
    isSeekable = existing == nil || existing?.kind == .file
    if existing != nil && existing?.kind != .file && existing?.kind != .folder {
      descriptor = try Self.openPipe(path, interruption)
      return
    }
    do throws(SystemError) {
      if existing?.kind == .folder { throw .isFolder }
      if existing == nil, System.isBrokenLink(path) { throw .brokenLink }
      let isCompared = existing != nil && acceptsEqual && !replacing
      if !replacing, !isCompared, isSeekable, (try? System.statusOfLink(ledger)) != nil {
        throw .exists
      }
      if existing != nil {
        if !replacing && !isCompared { throw System.isTaken(self.path) ? .wouldBlock : .exists }
        replaced = try System.takeFile(self.path)
        if isCompared && replaced == nil { throw .exists }
      }
      let temporary = try System.makeTemporaryFile(beside: self.path, like: existing ?? model)
      (temporaryPath, descriptor) = temporary
    } catch {
      // The properties are initialized, so `deinit` releases the lock and the temporary file.
      throw AACFileError(creating: path, error)
    }
  }

  private static func openPipe(
    _ path: String, _ interruption: Interruption
  ) throws(AACFileError) -> Int32 {
    do throws(SystemError) {
      if let pipe = try System.openPipe(path, isCancelled: { interruption.signal != nil }) {
        return pipe
      }
    } catch {
      throw AACFileError(.write, path, because: error)
    }
    throw AACFileError(Interrupted(signal: interruption.signal ?? System.terminateSignal))
  }

  deinit {
    discard()
  }

  /// Accepts bytes, which may be buffered until there are enough of them.
  package func write(_ bytes: [UInt8]) throws(AACFileError) {
    byteCount += bytes.count
    buffer += bytes
    if buffer.count >= Self.bufferSize { try flush() }
  }

  /// Writes all buffered bytes to the file.
  package func flush() throws(AACFileError) {
    guard let descriptor else { return }
    if isSeekable {
      if trace.hasOtherLength(descriptor) { throw disturbance }
      try put(buffer, at: trace.byteCount, in: descriptor)
    } else {
      try writeToPipe(descriptor)
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Writes bytes at an earlier position, such as a size that is now known.
  package func write(_ bytes: [UInt8], at position: Int) throws(AACFileError) {
    if position == byteCount { return try write(bytes) }
    precondition(isSeekable && position >= 0 && position <= byteCount)
    try flush()
    guard let descriptor else { return }
    try put(bytes, at: position, in: descriptor)
    byteCount = max(byteCount, position + bytes.count)
  }

  /// Moves written bytes toward the end of the file, which may grow.
  package func move(_ range: Range<Int>, by shift: Int) throws(AACFileError) {
    precondition(isSeekable && range.upperBound <= byteCount && shift >= 0)
    try flush()
    guard let descriptor else { return }
    // Begin at the end, so that no byte is overwritten before it has moved.
    var end = range.upperBound
    while end > range.lowerBound {
      let start = max(range.lowerBound, end - Self.bufferSize)
      var piece = [UInt8](repeating: 0, count: end - start)
      try readAll(into: &piece, at: start, from: descriptor)
      try put(piece, at: start + shift, in: descriptor)
      end = start
    }
    byteCount = max(byteCount, range.upperBound + shift)
  }

  /// Completes the file and gives it its name.
  package func commit() throws(AACFileError) {
    try flush()
    guard let descriptor else { return }
    if let signal = interruption.signal { throw AACFileError(Interrupted(signal: signal)) }
    guard let temporaryPath else { return }
    try checkTemporaryFile(of: descriptor, at: temporaryPath)
    if acceptsEqual, let replaced {
      guard try hasEqualBytes(descriptor, replaced) else {
        throw AACFileError(creating: path, .exists)
      }
      discard()
      isInPlace = true
      // An earlier attempt may have named the file, and failed to flush the name.
      try flushName()
      return
    }
    do throws(SystemError) {
      try System.synchronize(descriptor)
      // The file stays locked until it has its name, so that no process removes it as a leftover.
      try moveToPath(from: temporaryPath)
      self.temporaryPath = nil
      isInPlace = true
      self.descriptor = nil
      try? System.close(descriptor)
      // The ledger belonged to the replaced file.
      if replacesExisting { try? System.remove(ledger) }
    } catch {
      throw error == .exists || error == .wouldBlock
        ? AACFileError(creating: path, error) : AACFileError(.finish, path, because: error)
    }
    releaseLock()
    try flushName()
  }

  private func flushName() throws(AACFileError) {
    try rethrow(
      as: { AACFileError(nameNotFlushedOf: path, $0) }, System.synchronizeFolder(of: path))
  }

  private func hasEqualBytes(_ one: Int32, _ other: Int32) throws(AACFileError) -> Bool {
    do throws(SystemError) {
      guard try System.status(of: other).size == byteCount else { return false }
      var blocks = [[UInt8]](repeating: Array(repeating: 0, count: Self.bufferSize), count: 2)
      var offset = 0
      while offset < byteCount {
        let counts = (
          try System.fill(&blocks[0], from: one, at: offset),
          try System.fill(&blocks[1], from: other, at: offset)
        )
        let count = min(counts.0, counts.1)
        if count == 0 || counts.0 != counts.1 || blocks[0][..<count] != blocks[1][..<count] {
          return false
        }
        offset += count
      }
      return true
    } catch {
      throw AACFileError(.read, path, because: error)
    }
  }

  /// Throws if other programs have removed or changed the temporary file.
  private func checkTemporaryFile(of descriptor: Int32, at temporary: String) throws(AACFileError) {
    let own = try? System.status(of: descriptor).identity
    let isPresent = own != nil && (try? System.status(of: temporary))?.identity == own
    let isIntact = try rethrow(
      as: { AACFileError(.finish, path, because: $0) }, trace.isIntact(descriptor))
    if !isPresent || !isIntact { throw disturbance }
  }

  /// The error after another program has removed, replaced or changed the temporary file.
  private var disturbance: AACFileError {
    AACFileError(
      .cannotWrite,
      "“\(displayed(path))” could not be completed: another program removed or changed what was "
        + "written.", suggestion: .text("Try again."))
  }

  private func releaseLock() {
    if let replaced { try? System.close(replaced) }
    replaced = nil
  }

  /// Removes the unfinished file; has no effect after `commit()`.
  package func discard() {
    if let descriptor, descriptor != System.standardOutput { try? System.close(descriptor) }
    descriptor = nil
    if let temporaryPath { try? System.remove(temporaryPath) }
    temporaryPath = nil
    releaseLock()
  }

  /// The path of an older ledger that would be mistaken for the ledger of this file.
  private var ledger: String { GapSidecar.path(of: path) }

  private func moveToPath(from temporaryPath: String) throws(SystemError) {
    if !replacesExisting { return try System.name(temporaryPath, path) }
    // Another program may have begun to write a file with this name since.
    if try !isExclusive(path) { replaced = try System.takeFile(path) }
    try System.rename(temporaryPath, to: path)
  }

  /// Returns whether no other program can be writing the file: we have locked it, or it does not
  /// exist.
  private func isExclusive(_ path: String) throws(SystemError) -> Bool {
    guard let there = try? System.status(of: path), there.kind == .file else { return true }
    guard let replaced else { return false }
    return try System.status(of: replaced).identity == there.identity
  }

  private func writeToPipe(_ descriptor: Int32) throws(AACFileError) {
    var offset = 0
    while offset < buffer.count {
      try rethrow(
        as: AACFileError.init(_:), interruption.wait(for: descriptor, writing: true))
      let end = min(offset + Self.pipeBlock, buffer.count)
      try rethrow(
        as: { AACFileError(.write, path, because: $0) },
        System.write(descriptor, Array(buffer[offset..<end])))
      offset = end
    }
  }

  private func put(
    _ bytes: [UInt8], at offset: Int, in descriptor: Int32
  ) throws(AACFileError) {
    try rethrow(
      as: { AACFileError(.write, path, because: $0) }, System.write(descriptor, bytes, at: offset))
    trace.record(bytes, at: offset)
  }

  private func readAll(
    into piece: inout [UInt8], at offset: Int, from descriptor: Int32
  ) throws(AACFileError) {
    do throws(SystemError) {
      let count = try System.fill(&piece, from: descriptor, at: offset)
      if count < piece.count { throw .device }
    } catch {
      throw AACFileError(.write, path, because: error)
    }
  }

  package static func write(
    _ bytes: [UInt8], to path: String, replacing: Bool, like model: System.FileStatus? = nil,
    interruption: Interruption
  ) throws(AACFileError) {
    let file = try OutputFile(path, replacing: replacing, like: model, interruption: interruption)
    try file.write(bytes)
    try file.commit()
  }

  /// Creates the folder of a path, and its parents, if missing.
  package static func makeFolders(for path: String) throws(AACFileError) {
    let folder = FileName.folder(path)
    if folder == "." || folder == "/" { return }
    if (try? System.status(of: folder))?.kind == .folder { return }
    try makeFolders(for: folder)
    do throws(SystemError) {
      try System.makeFolder(folder)
    } catch {
      // Another thread may have been faster.
      if error != .exists { throw AACFileError(.makeFolder, folder, because: error) }
    }
  }
}
