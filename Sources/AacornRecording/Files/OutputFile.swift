package import AacornSystem

/// A file that appears under its name when it is complete, or a stream to a pipe.
///
/// Bytes go to a temporary file in the target's folder. `commit()` flushes them to disk (fsync),
/// then atomically gives the file its name, and flushes that too; so a name never refers to a
/// partial file, even after a power cut. Whatever ends the work before `commit()` removes the
/// temporary file. A replaced file passes its permissions on, and one that another of our programs
/// is writing is not replaced.
package final class OutputFile {
  /// Bytes that a pipe takes without blocking once it has room (POSIX, PIPE_BUF).
  private static let pipeBlock = 4096
  private static let bufferSize = 65_536

  /// The final name of the file.
  package let path: String
  /// Whether earlier bytes can be overwritten.
  package let isSeekable: Bool
  /// Bytes accepted so far.
  package private(set) var byteCount = 0
  private let replacesExisting: Bool
  private let interruption: Interruption
  private var descriptor: Int32?
  private var temporaryPath: String?
  /// The file to be replaced, locked so that no other program replaces it meanwhile.
  private var replaced: Int32?
  private var buffer: [UInt8] = []

  /// Opens an output; `-` is standard output, and a device or pipe is written directly.
  ///
  /// A file that replaces none gets the permissions of `model`, if given.
  package init(
    _ path: String, replacing: Bool, like model: System.FileStatus? = nil,
    interruption: Interruption
  ) throws(AACFileError) {
    self.interruption = interruption
    buffer.reserveCapacity(Self.bufferSize)
    if path == "-" {
      self.path = "standard output"
      descriptor = System.standardOutput
      isSeekable = false
      replacesExisting = false
      return
    }
    let existing = try? System.status(of: path)
    // With a symbolic link, what it points to is replaced, and the link stays.
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
      if !replacing, isSeekable, (try? System.statusOfLink(ledger)) != nil { throw .exists }
      if existing != nil {
        if !replacing { throw System.isTaken(self.path) ? .wouldBlock : .exists }
        replaced = try System.takeFile(self.path)
      }
      let temporary = try System.makeTemporaryFile(beside: self.path, like: existing ?? model)
      (temporaryPath, descriptor) = temporary
    } catch {
      // What was taken is let go of at the end of this object, which has all it needs by now.
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
      throw AACFileError(.create, path, error)
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

  /// Passes all buffered bytes to the system.
  package func flush() throws(AACFileError) {
    guard let descriptor else { return }
    if isSeekable {
      try write(buffer, to: descriptor)
    } else {
      try writeToPipe(descriptor)
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Writes bytes at an earlier position, such as a size that is known only now.
  package func write(_ bytes: [UInt8], at position: Int) throws(AACFileError) {
    if position == byteCount { return try write(bytes) }
    precondition(isSeekable && position >= 0 && position <= byteCount)
    try flush()
    guard let descriptor else { return }
    try seek(descriptor, to: position)
    try write(bytes, to: descriptor)
    byteCount = max(byteCount, position + bytes.count)
    try seek(descriptor, to: byteCount)
  }

  /// Moves bytes written before toward the end of the file, which may grow.
  package func move(_ range: Range<Int>, by shift: Int) throws(AACFileError) {
    precondition(isSeekable && range.upperBound <= byteCount && shift >= 0)
    try flush()
    guard let descriptor else { return }
    // From the end, so that nothing is overwritten before it has moved.
    var end = range.upperBound
    while end > range.lowerBound {
      let start = max(range.lowerBound, end - Self.bufferSize)
      var piece = [UInt8](repeating: 0, count: end - start)
      try seek(descriptor, to: start)
      try readAll(into: &piece, from: descriptor)
      try seek(descriptor, to: start + shift)
      try write(piece, to: descriptor)
      end = start
    }
    byteCount = max(byteCount, range.upperBound + shift)
    try seek(descriptor, to: byteCount)
  }

  /// Completes the file and gives it its name.
  package func commit() throws(AACFileError) {
    try flush()
    guard let descriptor else { return }
    if let signal = interruption.signal { throw AACFileError(Interrupted(signal: signal)) }
    guard let temporaryPath else { return }
    try checkWholeness(of: descriptor, at: temporaryPath)
    do throws(SystemError) {
      try System.synchronize(descriptor)
      self.descriptor = nil
      try System.close(descriptor)
      try giveName(to: temporaryPath)
      self.temporaryPath = nil
      // It belonged to the replaced file.
      if replacesExisting { try? System.remove(ledger) }
      try System.synchronizeFolder(of: path)
    } catch {
      throw error == .exists || error == .wouldBlock
        ? AACFileError(creating: path, error) : AACFileError(.finish, path, error)
    }
    letGo()
  }

  /// Throws if others have removed or truncated what was written, so that the rest gets no name.
  private func checkWholeness(of descriptor: Int32, at temporary: String) throws(AACFileError) {
    if let own = try? System.status(of: descriptor), own.size >= byteCount,
      (try? System.status(of: temporary))?.identity == own.identity
    {
      return
    }
    throw AACFileError(
      .cannotWrite,
      "“\(displayed(path))” could not be completed: another program removed or changed what was "
        + "written.", .words("Try again."))
  }

  private func letGo() {
    if let replaced { try? System.close(replaced) }
    replaced = nil
  }

  /// Gives up and removes what was written; has no effect after `commit()`.
  package func discard() {
    if let descriptor, descriptor != System.standardOutput { try? System.close(descriptor) }
    descriptor = nil
    if let temporaryPath { try? System.remove(temporaryPath) }
    temporaryPath = nil
    letGo()
  }

  /// The list of gaps that would be taken as the file's.
  private var ledger: String { GapSidecar.path(of: path) }

  private func giveName(to temporaryPath: String) throws(SystemError) {
    if replacesExisting {
      // Another program may have begun to write a file with this name since.
      if try !isOurs(path) { replaced = try System.takeFile(path) }
      try System.rename(temporaryPath, to: path)
      return
    }
    do throws(SystemError) {
      // Unlike a rename, a link never replaces a file that appeared in the meantime.
      try System.link(temporaryPath, to: path)
      try? System.remove(temporaryPath)
    } catch {
      if error == .exists { throw error }
      // Some file systems do not support links.
      if (try? System.statusOfLink(path)) != nil { throw .exists }
      try System.rename(temporaryPath, to: path)
    }
  }

  /// Whether nobody else can be writing the file with this name: it is locked, or does not exist.
  private func isOurs(_ path: String) throws(SystemError) -> Bool {
    guard let there = try? System.status(of: path), there.kind == .file else { return true }
    guard let replaced else { return false }
    return try System.status(of: replaced).identity == there.identity
  }

  private func writeToPipe(_ descriptor: Int32) throws(AACFileError) {
    var offset = 0
    while offset < buffer.count {
      do throws(Interrupted) {
        try interruption.wait(for: descriptor, writing: true)
      } catch {
        throw AACFileError(error)
      }
      let end = min(offset + Self.pipeBlock, buffer.count)
      try write(Array(buffer[offset..<end]), to: descriptor)
      offset = end
    }
  }

  private func write(_ bytes: [UInt8], to descriptor: Int32) throws(AACFileError) {
    var offset = 0
    do throws(SystemError) {
      while offset < bytes.count {
        offset += try System.write(descriptor, bytes, from: offset)
      }
    } catch {
      throw AACFileError(.write, path, error)
    }
  }

  private func readAll(into piece: inout [UInt8], from descriptor: Int32) throws(AACFileError) {
    var count = 0
    do throws(SystemError) {
      while count < piece.count {
        let read = try System.read(descriptor, into: &piece, from: count)
        if read == 0 { throw .device }
        count += read
      }
    } catch {
      throw AACFileError(.write, path, error)
    }
  }

  private func seek(_ descriptor: Int32, to position: Int) throws(AACFileError) {
    do throws(SystemError) {
      try System.seek(descriptor, to: position)
    } catch {
      throw AACFileError(.write, path, error)
    }
  }
}

extension OutputFile {
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
      if error != .exists { throw AACFileError(.makeFolder, folder, error) }
    }
  }
}
