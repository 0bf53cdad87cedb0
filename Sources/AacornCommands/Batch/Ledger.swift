import AacornRecording
import AacornSystem

/// The file of results of a shard's lines, one line for each attempt.
///
/// The file only grows, and each line is appended in a single write. So a crash loses only the
/// results of the lines in progress. The last line about an output counts.
final class Ledger: Sendable {
  let path: String
  private let descriptor: Int32
  /// The identity of the file when it was opened.
  private let identity: System.FileStatus.Identity
  private let state = Lock(State())

  private struct State {
    /// The first write error; afterward no entry can be written.
    var failure: CommandFailure?
    /// The offsets of the first line of this run, and of the next line.
    var (start, end) = (0, 0)
    /// The digest of the lines of this run.
    var digest = SHA256()
    /// The offset of the last line about each output, by the number of the output.
    var offsets = NumberTable<Int>()
    /// Whether `offsets` also includes the lines of this run.
    var indexesNewLines = false
  }

  /// Opens or creates the ledger, and locks it: only one run at a time may write it.
  init(_ path: String) throws(CommandFailure) {
    self.path = path
    let isLedger: Bool
    do throws(SystemError) {
      try Self.create(path)
      // Append to the end, so that a truncation by another program leaves no gap in the file.
      descriptor = try System.open(path, for: .appending)
      let status = try System.status(of: descriptor)
      identity = status.identity
      try System.lock(descriptor)
      // The name of an empty ledger may not be on the disk yet, even if another run created it.
      if status.size == 0 { try System.synchronizeFolder(of: path) }
      var start = [UInt8](repeating: 0, count: Self.prefixByteCount)
      let count = try System.read(descriptor, into: &start, at: 0)
      isLedger = Self.isLedger(start[..<count])
      if isLedger {
        // Terminate a last line that a crash truncated, so that the next line is not appended to it.
        var end = try System.status(of: descriptor).size
        var last: [UInt8] = [0]
        if end > 0, try System.read(descriptor, into: &last, at: end - 1) == 1, last != [0x0A] {
          try System.write(descriptor, [UInt8(ascii: "\n")])
          end += 1
        }
        state.withLock { [end] in ($0.start, $0.end) = (end, end) }
      }
    } catch {
      if error == .wouldBlock {
        let owner = System.lockOwner(of: path).map { ": \($0)" } ?? ""
        throw CommandFailure(
          .busy, "Another run is writing the ledger “\(displayed(path))”\(owner).",
          .text("Wait for its end, or give each run its own part with --shard."))
      }
      throw CommandFailure(creating: path, error)
    }
    if !isLedger {
      throw CommandFailure(
        .exists, "“\(displayed(path))” already exists and is not a ledger. It was not changed.",
        .text("Choose another name with --ledger."))
    }
  }

  /// Creates the file unless it exists.
  private static func create(_ path: String) throws(SystemError) {
    if (try? System.status(of: path)) != nil { return }
    do throws(SystemError) {
      try System.close(try System.open(path, for: .creating))
    } catch {
      if System.isBrokenLink(path) { throw .brokenLink }
      // Another run may have created the file first.
      if error != .exists { throw error }
    }
  }

  /// The start of each line, by which a ledger is distinguished from other files.
  private static let beginning = Array("{\"line\":".utf8)

  /// The number of bytes by which a ledger is distinguished from other files.
  static let prefixByteCount = 1 << 16

  /// Returns whether a file with these bytes at its start is a ledger.
  ///
  /// A crash may have truncated its first line, and a disk may have damaged a byte of it. A power
  /// failure may have left zeros in place of its first sectors; then only text and zeros follow, or
  /// a line.
  static func isLedger(_ start: ArraySlice<UInt8>) -> Bool {
    if beginning.starts(with: start.prefix(beginning.count)) { return true }
    let damagedCount = zip(start, beginning).count { $0 != $1 }
    if start.count >= beginning.count, damagedCount <= 1 { return true }
    let content = start.drop { $0 == 0 }
    if content.isEmpty { return start.count < prefixByteCount }
    let zeroCount = start.count - content.count
    if zeroCount >= sectorSize, content.allSatisfy({ $0 == 0 || $0 == 0x0A || $0 >= 0x20 }) {
      return true
    }
    return content.indices.contains { index in
      (zeroCount > 0 || index > start.startIndex && start[index - 1] == UInt8(ascii: "\n"))
        && content[index...].starts(with: beginning)
    }
  }

  /// The size of a disk's sectors in bytes; some disks have larger ones.
  private static let sectorSize = 512

  deinit { try? System.close(descriptor) }

  /// Appends an entry; after an error, every further call throws that error.
  func append(_ entry: LedgerEntry) throws(CommandFailure) {
    let bytes = PathText.encode(entry.text + "\n")
    try state.withLock { (state) throws(CommandFailure) in
      try check(&state)
      do throws(SystemError) {
        try System.write(descriptor, bytes)
      } catch {
        let failure = CommandFailure(.write, path, error)
        state.failure = failure
        throw failure
      }
      if state.indexesNewLines { state.offsets.set(entry.outputNumber, to: state.end) }
      state.end += bytes.count
      state.digest.append(bytes[...])
    }
  }

  /// Throws the first error, also if another program has changed, renamed or replaced the file.
  private func check(_ state: inout State) throws(CommandFailure) {
    if state.failure == nil {
      let own = try? System.status(of: descriptor)
      let there = (try? System.status(of: path))?.identity
      if there == identity, own?.size == state.end, own?.linkCount ?? 0 > 0 { return }
      state.failure = damageError(
        there == nil
          ? "was removed or renamed" : there == identity ? "was changed" : "was replaced")
    }
    if let failure = state.failure { throw failure }
  }

  /// Returns the error for a ledger that another program has damaged.
  private func damageError(_ change: String) -> CommandFailure {
    CommandFailure(
      .cannotWrite,
      "The ledger “\(displayed(path))” \(change) by another program during the run, so its results are "
        + "incomplete.",
      .text("Keep other programs away from it, and run again: missing lines are encoded again."))
  }

  /// Checks that the written lines are in the file, and synchronizes it to disk.
  func synchronize() throws(CommandFailure) {
    try state.withLock { (state) throws(CommandFailure) in try check(&state) }
    do throws(SystemError) {
      try System.synchronizeData(descriptor)
    } catch {
      throw CommandFailure(.write, path, error)
    }
  }

  // MARK: The last line about an output

  /// Reads the lines of earlier runs, and remembers where the last one about each output begins.
  ///
  /// The lines of this run are included if `newLines` is true: then several lines of the manifest
  /// may name the same output.
  func index(withNewLines newLines: Bool, _ interruption: Interruption) throws(CommandFailure) {
    var offsets = NumberTable<Int>()
    let lines = try LineReader(path, interruption)
    while let line = try lines.next() {
      if let count = lines.estimatedLineCount() { offsets.reserve(count) }
      guard let entry = LedgerEntry(line.bytes) else { continue }
      offsets.set(entry.outputNumber, to: line.offset)
    }
    state.withLock { ($0.offsets, $0.indexesNewLines) = (offsets, newLines) }
  }

  /// Returns the last entry about an output in the index.
  func lastEntry(about output: String) -> LedgerEntry? {
    let number = ManifestLine.number(of: output)
    guard let offset = state.withLock({ $0.offsets[number] }), let entry = entry(at: offset),
      // Different paths may have the same number.
      ManifestLine.normalized(entry.output) == ManifestLine.normalized(output)
    else { return nil }
    return entry
  }

  /// Returns whether no later line about the same output follows the line of this run at an offset.
  func isLatest(_ entry: LedgerEntry, at offset: Int) -> Bool {
    // Without new lines in the index, each line of this run has a different output.
    state.withLock { !$0.indexesNewLines || $0.offsets[entry.outputNumber] == offset }
  }

  /// Returns the entry whose line begins at an offset.
  ///
  /// It is read from the open file, which remains the ledger if another program renames it.
  private func entry(at offset: Int) -> LedgerEntry? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    var line: [UInt8] = []
    while line.count <= LineReader.maxByteCount {
      let end = offset + line.count
      guard let count = try? System.read(descriptor, into: &bytes, at: end), count > 0 else {
        return nil
      }
      if let end = bytes[..<count].firstIndex(of: UInt8(ascii: "\n")) {
        return LedgerEntry((line + bytes[..<end])[...])
      }
      line += bytes[..<count]
    }
    return nil
  }

  /// Calls `body` with each entry that this run has written, and its offset, on several threads.
  ///
  /// Entries written during the call are not included. The first error ends the iteration. Throws
  /// if the lines in the file differ from the written lines; `body` may already have received some
  /// of them.
  func forEachOwnEntry(
    jobCount: Int, _ interruption: Interruption,
    _ body: @escaping @Sendable (LedgerEntry, Int) throws(CommandFailure) -> Void
  ) throws(CommandFailure) {
    let (start, end, written) = state.withLock { ($0.start, $0.end, $0.digest) }
    if start == end { return }
    let reader = try LineReader(path, from: start, interruption)
    let lines = Lock((reader: reader, digest: SHA256()))
    let failure = Lock<CommandFailure?>(nil)
    Workers.run(jobCount) { [self] in
      do throws(CommandFailure) {
        while failure.withLock({ $0 == nil }) {
          let next = try lines.withLock { (lines) throws(CommandFailure) -> LineReader.Line? in
            guard let line = try lines.reader.next(), line.offset < end else { return nil }
            lines.digest.append(line.bytes)
            lines.digest.append([UInt8(ascii: "\n")])
            return line
          }
          guard let next else { return }
          guard let entry = LedgerEntry(next.bytes) else { throw damageError("was changed") }
          try body(entry, next.offset)
        }
      } catch {
        failure.withLock { $0 = $0 ?? error }
      }
    }
    if let failure = failure.withLock({ $0 }) { throw failure }
    let isSame = lines.withLock { lines in
      var written = written
      return lines.digest.finish() == written.finish()
    }
    if !isSame { throw damageError("was changed") }
  }
}
