import AacornRecording
import AacornSystem

/// The lines in progress, in a file next to the ledger.
///
/// If the file lists a line when a run starts, the last run was killed or crashed during the work
/// on this line. Such a line is a crash candidate. Until the line has a result, the journal counts
/// how often the program ended during the work on it, and admits it only while no other line is in
/// progress.
///
/// The file has a record of fixed size for each line in progress, with the count 0, and one for each
/// candidate. Records are written in place, but not synchronized: their data outlives a crash of the
/// program, and a power failure does not make a line a candidate.
final class CrashJournal: Sendable {
  let path: String
  private let descriptor: Int32
  private let state = Lock(State())

  private struct State {
    var records: [Record] = []
    /// Whether a candidate is in progress.
    var isExclusive = false
    /// The number of candidates that wait for other lines.
    var waitingCount = 0
  }

  struct Record: Equatable {
    /// The key of a line, see `BatchWork.crashKey`; 0 if the record is empty.
    var key: UInt64 = 0
    /// The number of crashes of a candidate; 0 for a line in progress.
    var crashCount = 0

    fileprivate static let byteCount = 21

    /// The record as text, such as `00c0ffee00c0ffee 001`, with a newline.
    fileprivate var bytes: [UInt8] {
      let key = String(key, radix: 16)
      let text =
        String(repeating: "0", count: 16 - key.utf8.count) + key + " "
        + QuantityText.padded(crashCount, to: 3) + "\n"
      return Array(text.utf8)
    }
  }

  private static let maxByteCount = 1 << 16
  /// The maximum number of candidates.
  private static let maxCandidateCount = 1024
  /// The maximum number of crashes; no setting of `--retries` needs more.
  static let maxCrashCount = 200

  private static let suffix = ".begun"

  static func path(of ledger: String) -> String { ledger + suffix }

  /// Opens or creates the journal of a ledger.
  init(of ledger: String) throws(CommandFailure) {
    path = Self.path(of: ledger)
    var bytes = [UInt8](repeating: 0, count: Self.maxByteCount)
    var records: [Record]
    do throws(SystemError) {
      descriptor = try Self.open(path)
      // After the ledger was removed, another run may still use the file.
      try System.lock(descriptor)
      let count = try System.read(descriptor, into: &bytes, at: 0)
      guard count < bytes.count, let candidates = Self.candidates(in: Array(bytes[..<count])) else {
        throw .exists
      }
      records = candidates
      // Empty records replace the remainder of the old content.
      while records.count * Record.byteCount < count { records.append(Record()) }
    } catch {
      if error != .exists { throw CommandFailure(creating: path, error) }
      throw CommandFailure(
        .exists,
        "“\(displayed(path))” already exists and is not a journal of a run. It was not changed.",
        .text("Remove it, or choose another name with --ledger."))
    }
    do throws(SystemError) {
      // The file counts the crash from now on.
      try System.write(descriptor, records.flatMap(\.bytes), at: 0)
    } catch {
      throw CommandFailure(.write, path, error)
    }
    state.withLock { [records] in $0.records = records }
  }

  deinit { try? System.close(descriptor) }

  /// Throws `exists` if the file is not a regular file.
  ///
  /// A symbolic link is never followed: otherwise a user who can create links next to the ledger
  /// could choose the file to overwrite.
  private static func open(_ path: String) throws(SystemError) -> Int32 {
    do throws(SystemError) {
      return try System.open(path, for: .creating)
    } catch {
      guard error == .exists, (try? System.statusOfLink(path))?.kind == .file else { throw error }
      return try System.open(path, for: .changingItself)
    }
  }

  /// Returns whether a file has the name of a journal, and not the content of something else.
  static func isJournal(_ path: String) -> Bool {
    guard path.hasSuffix(suffix) else { return false }
    let bytes = try? InputFile(path, interruption: Interruption()).bytes(at: 0, count: maxByteCount)
    return candidates(in: bytes ?? []) != nil
  }

  /// Returns the candidates in the content of a journal; nil if it is not a journal.
  ///
  /// A line in progress adds one crash, even if several threads had it. After a power failure or on a
  /// full disk, parts of the content may be zero or missing. The complete records count.
  static func candidates(in bytes: [UInt8]) -> [Record]? {
    var counts: [UInt64: Int] = [:]
    var active: Set<UInt64> = []
    var hasRecord = false
    let lines = bytes.filter { $0 != 0 }.split(separator: UInt8(ascii: "\n"))
    for line in lines {
      let words = String(decoding: line, as: UTF8.self).split(separator: " ")
      guard line.count == Record.byteCount - 1, words.count == 2,
        let key = UInt64(words[0], radix: 16), let count = Int(words[1]), count >= 0
      else { continue }
      hasRecord = true
      if key == 0 || counts.count == maxCandidateCount && counts[key] == nil { continue }
      if count == 0 { active.insert(key) }
      counts[key] = max(counts[key] ?? 0, count)
    }
    if !hasRecord && !lines.isEmpty { return nil }
    return counts.map { (key, count) in
      Record(key: key, crashCount: min(count + (active.contains(key) ? 1 : 0), maxCrashCount))
    }
  }

  // MARK: During a run

  var hasCandidates: Bool { state.withLock { $0.records.contains { $0.crashCount > 0 } } }

  /// Returns the number of times that the program ended during the work on a line, since its last
  /// result.
  func crashCount(of key: UInt64) -> Int {
    state.withLock { $0.records.first { $0.key == key && $0.crashCount > 0 }?.crashCount ?? 0 }
  }

  /// Records that the work on a line begins, and returns its number of crashes.
  ///
  /// A candidate waits until no line is in progress, and other lines wait for it: if the program
  /// crashes again, the file shows that this line caused it.
  @discardableResult
  func begin(_ key: UInt64) -> Int {
    let crashCount = crashCount(of: key)
    let isCandidate = crashCount > 0
    if isCandidate { state.withLock { $0.waitingCount += 1 } }
    while !state.withLock({ begin(key, alone: isCandidate, &$0) }) {
      System.sleep(milliseconds: 5)
    }
    return crashCount
  }

  private func begin(_ key: UInt64, alone: Bool, _ state: inout State) -> Bool {
    let mustWait =
      alone
      ? state.records.contains { $0.key != 0 && $0.crashCount == 0 }
      : state.isExclusive || state.waitingCount > 0
    if mustWait { return false }
    if alone { state.waitingCount -= 1 }
    state.isExclusive = alone
    if !state.records.contains(Record()) { state.records.append(Record()) }
    replace(Record(), with: Record(key: key), &state)
    return true
  }

  /// Records that the work on a line has ended; with a result, the line is no longer a candidate.
  func end(_ key: UInt64, hasResult: Bool) {
    state.withLock { state in
      if replace(Record(key: key), with: Record(), &state) { state.isExclusive = false }
      let candidate = state.records.first { $0.key == key && $0.crashCount > 0 }
      if hasResult, let candidate { replace(candidate, with: Record(), &state) }
    }
  }

  /// Changes a record in memory and in the file; returns false if it does not exist.
  @discardableResult
  private func replace(_ record: Record, with other: Record, _ state: inout State) -> Bool {
    guard let index = state.records.firstIndex(of: record) else { return false }
    state.records[index] = other
    // Ignore errors: a failing disk is detected when the ledger is written.
    try? System.write(descriptor, other.bytes, at: index * Record.byteCount)
    return true
  }

  /// Removes the file at the regular end of a run, unless candidates remain and `keeps` is true.
  func close(keepingCandidates keeps: Bool) {
    if keeps, hasCandidates { return }
    // After the file was removed, the path may lead to the journal of another run.
    guard let identity = try? System.status(of: descriptor).identity,
      (try? System.status(of: path))?.identity == identity
    else { return }
    try? System.remove(path)
  }
}
