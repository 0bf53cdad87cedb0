import AacornRecording
import AacornSystem

/// The file that tells what became of each line of a shard, one line for each time it was tried.
///
/// It only grows, each line in one write, and the last line about an output counts. So whatever ends a
/// run, no more is lost of it than what was in work.
final class Ledger: Sendable {
  let path: String
  private let descriptor: Int32
  /// The file with this name when it was opened; nil if it is no file.
  private let identity: System.FileStatus.Identity?
  private let state = Lock(State())

  private struct State {
    /// Why nothing more can be written.
    var failure: CommandFailure?
    /// Where the first line of this run begins.
    var start = 0
    /// Where the next line begins.
    var end = 0
    /// What stands for the lines in between.
    var digest = LineDigest()
  }

  /// Opens it, or begins it; only one run at a time may write it.
  init(_ path: String) throws(CommandFailure) {
    self.path = path
    let isLedger: Bool
    do throws(SystemError) {
      (descriptor, identity) = try Self.take(path)
      isLedger = try Self.isLedger(descriptor)
      if isLedger {
        let end = try Self.endLastLine(descriptor)
        state.withLock { ($0.start, $0.end) = (end, end) }
      }
    } catch {
      if error == .wouldBlock {
        let owner = System.lockOwner(of: path).map { ": \($0)" } ?? ""
        throw CommandFailure(
          .busy, "Another run is writing the ledger “\(displayed(path))”\(owner).",
          .words("Wait for its end, or give each run its own part with --shard."))
      }
      throw CommandFailure(creating: path, error)
    }
    if !isLedger {
      throw CommandFailure(
        .exists, "“\(displayed(path))” already exists and is not a ledger. It was not changed.",
        .words("Choose another name with --ledger."))
    }
  }

  /// Opens and locks the file that has this name when that is done.
  private static func take(
    _ path: String
  ) throws(SystemError) -> (Int32, System.FileStatus.Identity?) {
    while true {
      let descriptor: Int32
      do throws(SystemError) {
        // Lines go to the end, wherever it is: if somebody has emptied the file, no hole is left.
        descriptor = try System.open(path, for: .appending)
      } catch {
        guard error == .notFound else { throw error }
        do throws(SystemError) {
          try System.close(try System.open(path, for: .creating))
        } catch {
          // Another run may have been faster.
          if error != .exists || System.isBrokenLink(path) { throw error }
        }
        continue
      }
      do throws(SystemError) {
        try System.lock(descriptor)
        let status = try System.status(of: descriptor)
        if status.kind != .file { return (descriptor, nil) }
        // It may have been removed or replaced before it was locked.
        if (try? System.status(of: path))?.identity == status.identity {
          return (descriptor, status.identity)
        }
      } catch {
        try? System.close(descriptor)
        throw error
      }
      try? System.close(descriptor)
    }
  }

  private static func isLedger(_ descriptor: Int32) throws(SystemError) -> Bool {
    guard try System.status(of: descriptor).kind == .file else { return true }
    var start = [UInt8](repeating: 0, count: LedgerLines.beginning.count)
    let count = try System.read(descriptor, into: &start, at: 0)
    return LedgerLines.isLedger(start.prefix(count))
  }

  deinit { try? System.close(descriptor) }

  /// Whether it is a file, from which a next run goes on.
  var isFile: Bool { identity != nil }

  /// Goes to the end, and returns where it is: a line that a crash has cut off must not swallow the
  /// next one.
  private static func endLastLine(_ descriptor: Int32) throws(SystemError) -> Int {
    let size = try System.status(of: descriptor).size
    try System.seek(descriptor, to: max(0, size - 1))
    var last: [UInt8] = [0]
    if size > 0, try System.read(descriptor, into: &last) == 1, last[0] != UInt8(ascii: "\n") {
      return size + (try System.write(descriptor, [UInt8(ascii: "\n")], from: 0))
    }
    return size
  }

  /// Adds a line, and returns where it begins; a failure is kept, and told by every further call.
  @discardableResult
  func append(_ entry: LedgerEntry) throws(CommandFailure) -> Int {
    let bytes = PathText.encode(entry.text + "\n")
    let (place, failure): (Int, CommandFailure?) = state.withLock { state in
      let place = state.end
      check(&state)
      if let failure = state.failure { return (place, failure) }
      do throws(SystemError) {
        var offset = 0
        while offset < bytes.count {
          offset += try System.write(descriptor, bytes, from: offset)
        }
      } catch {
        state.failure = CommandFailure(.write, path, error)
      }
      state.end += bytes.count
      // As `LedgerLines` reads them.
      if bytes.count <= LedgerLines.longestLine + 1 { state.digest.append(bytes.dropLast()) }
      return (place, state.failure)
    }
    if let failure { throw failure }
    return place
  }

  /// Where the lines of this run are, and what stands for them; nil if it is no file, and cannot be read again.
  var ownLines: (places: Range<Int>, digest: LineDigest)? {
    identity == nil ? nil : state.withLock { ($0.start..<$0.end, $0.digest) }
  }

  /// Notes if it is not what was written any more, or no longer has its name.
  private func check(_ state: inout State) {
    guard state.failure == nil, let identity else { return }
    let own = try? System.status(of: descriptor)
    let there = try? System.status(of: path)
    if there?.identity == identity, own?.size == state.end, own?.linkCount ?? 0 > 0 { return }
    let what =
      if there == nil {
        "was removed or renamed"
      } else if there?.identity != identity {
        "was replaced"
      } else {
        "was changed"
      }
    state.failure = harm(what)
  }

  /// What to say if another program has harmed it.
  func harm(_ what: String) -> CommandFailure {
    CommandFailure(
      .cannotWrite,
      "The ledger “\(displayed(path))” \(what) by another program during the run, so its results are "
        + "incomplete.",
      .words("Keep other programs away from it, and run again: missing lines are encoded again."))
  }

  /// Makes sure that what was added is there, and survives a power cut.
  func synchronize() throws(CommandFailure) {
    let failure = state.withLock { state in
      check(&state)
      return state.failure
    }
    if let failure { throw failure }
    do throws(SystemError) {
      try System.synchronizeData(descriptor)
    } catch {
      throw CommandFailure(.write, path, error)
    }
  }

  /// The line that begins at a place.
  func entry(at offset: Int) -> LedgerEntry? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    var line: [UInt8] = []
    var place = offset
    while line.count <= LedgerLines.longestLine {
      guard let count = try? System.read(descriptor, into: &bytes, at: place), count > 0 else {
        return nil
      }
      if let end = bytes[..<count].firstIndex(of: UInt8(ascii: "\n")) {
        line += bytes[..<end]
        return LedgerEntry(line[...])
      }
      line += bytes[..<count]
      place += count
    }
    return nil
  }
}
