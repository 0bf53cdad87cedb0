import AacornRecording
import AacornSystem

/// The file of results of a shard's lines, one line for each attempt.
///
/// The file only grows, and each line is appended in a single write. So a crash loses only the
/// results of the lines in progress. The latest line about an output counts, so ledgers can be
/// concatenated in any order.
final class Ledger: Sendable {
  let path: String
  private let descriptor: Int32
  /// The identity of the file when it was opened.
  private let identity: System.FileStatus.Identity
  private let state = Lock(State())

  private struct State {
    /// The first write error; afterward no entry can be written.
    var failure: CommandFailure?
    /// The offset of the end of the file.
    var end = 0
    /// The rank and the offset of the line that counts, by the number of the output.
    var lines: [UInt64: (rank: Int, offset: Int)] = [:]

    /// Adds the line at an offset, unless a later line about the same output is known.
    mutating func add(_ entry: LedgerEntry, at offset: Int) {
      let (number, rank) = (entry.outputNumber, entry.rank)
      if let other = lines[number], other.rank > rank { return }
      lines[number] = (rank, offset)
    }
  }

  /// Opens or creates the ledger, locks it, and finds the line that counts for each output of a part.
  ///
  /// Only one run at a time may write a ledger.
  init(
    _ path: String, of shard: Shard = Shard(), _ interruption: Interruption = Interruption()
  ) throws(CommandFailure) {
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
        state.withLock { [end] in $0.end = end }
      }
    } catch {
      if error == .wouldBlock {
        let owner = System.lockOwner(of: path).map { ": \($0)" } ?? ""
        throw CommandFailure(
          .busy, "Another run is writing the ledger “\(displayed(path))”\(owner).",
          suggestion: .text("Wait for its end, or give each run its own part with --shard."))
      }
      throw CommandFailure(creating: path, error)
    }
    if !isLedger {
      throw CommandFailure(
        .exists, "“\(displayed(path))” already exists and is not a ledger. It was not changed.",
        suggestion: .text("Choose another name with --ledger."))
    }
    let reader = try LineReader(path, interruption)
    while let line = try reader.next() {
      guard let entry = LedgerEntry(line.bytes), shard.contains(entry.outputNumber) else {
        continue
      }
      state.withLock { $0.add(entry, at: line.offset) }
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
        let failure = CommandFailure(.write, path, because: error)
        state.failure = failure
        throw failure
      }
      state.add(entry, at: state.end)
      state.end += bytes.count
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
      suggestion: .text(
        "Keep other programs away from it, and run again: missing lines are encoded again."))
  }

  /// Checks that the written lines are in the file, and synchronizes it to disk.
  func synchronize() throws(CommandFailure) {
    try state.withLock { (state) throws(CommandFailure) in try check(&state) }
    try rethrow(
      as: { CommandFailure(.write, path, because: $0) }, System.synchronizeData(descriptor))
  }

  /// Returns the entry that counts for an output.
  func lastEntry(about output: String) -> LedgerEntry? {
    let number = ManifestLine.number(of: output)
    guard let offset = state.withLock({ $0.lines[number]?.offset }), let entry = entry(at: offset),
      // Different paths may have the same number.
      ManifestLine.normalized(entry.output) == ManifestLine.normalized(output)
    else { return nil }
    return entry
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
}
