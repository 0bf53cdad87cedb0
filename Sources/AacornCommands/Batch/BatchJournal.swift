import AacornRecording
import AacornSystem

/// The journal of a run: the lines that were begun but not finished, in a file next to the ledger.
///
/// If the journal has a line when a run starts, the last run was killed or crashed during the work
/// on this line. Such a line is a crash candidate. Until the line has a result, the journal counts
/// how often the program ended during the work on it. The count belongs to the output, the input
/// and the settings together: with another input or other settings, counting starts again.
///
/// The file has one record for each thread, followed by one for each candidate. Records are written
/// in place, so the file does not grow. A run begins with one write of the whole file, which counts
/// the lines that were in progress when the last run ended. The file is not synchronized: its data
/// outlives a crash of the program, and a power failure does not make a line a candidate.
final class BatchJournal: Sendable {
  let path: String
  private let descriptor: Int32
  private let identity: System.FileStatus.Identity
  private let slotCount: Int
  private let candidates: Lock<[UInt64: CrashCandidate]>

  private struct CrashCandidate {
    /// The number of times that the program ended during the work on this output.
    let crashCount: Int
    /// The index of the candidate's record.
    let index: Int
  }

  /// The maximum number of candidates that the journal stores.
  static let maxCandidateCount = 1024

  /// The maximum number of threads with a record; lines of further threads are not recorded.
  static let maxSlotCount = 1024

  /// Returns the path of a ledger's journal.
  static func path(of ledger: String) -> String { ledger + ".begun" }

  /// Opens or creates the journal of a ledger, with `slotCount` records for threads.
  init(of ledger: String, slotCount: Int) throws(CommandFailure) {
    path = Self.path(of: ledger)
    let slotCount = min(slotCount, Self.maxSlotCount)
    self.slotCount = slotCount
    let records: [JournalRecord]
    let oldSize: Int
    do throws(SystemError) {
      let status: System.FileStatus
      (descriptor, status, records) = try Self.openLocked(path)
      (identity, oldSize) = (status.identity, status.size)
    } catch {
      if error != .exists { throw CommandFailure(creating: path, error) }
      throw CommandFailure(
        .exists,
        "“\(displayed(path))” already exists and is not a journal of a run. It was not changed.",
        .text("Remove it, or choose another name with --ledger."))
    }
    let counts = Self.crashCounts(records)
    var found: [UInt64: CrashCandidate] = [:]
    var bytes = Array(repeating: JournalRecord.none.bytes, count: slotCount).flatMap(\.self)
    for (offset, count) in counts.enumerated() {
      found[count.number] = CrashCandidate(
        crashCount: count.crashCount, index: slotCount + offset)
      bytes += count.bytes
    }
    candidates = Lock(found)
    let size = bytes.count
    // Clear the records past the new end: if the program ends before the truncation, the next run
    // would count them again.
    while bytes.count < oldSize { bytes += JournalRecord.none.bytes }
    do throws(SystemError) {
      try System.write(descriptor, bytes, at: 0)
      try System.truncate(descriptor, to: size)
    } catch {
      throw CommandFailure(.write, path, error)
    }
  }

  /// Opens, locks and reads the journal.
  ///
  /// Waits for the lock if another run, whose ledger was replaced, still has the file open.
  ///
  /// Throws `exists` if the file is not a journal. A symbolic link is never followed: otherwise a
  /// user who can create links next to the ledger could choose the file to overwrite.
  private static func openLocked(
    _ path: String
  ) throws(SystemError) -> (Int32, System.FileStatus, [JournalRecord]) {
    let descriptor: Int32
    do throws(SystemError) {
      descriptor = try System.open(path, for: .creating)
    } catch {
      if error != .exists { throw error }
      do throws(SystemError) {
        descriptor = try System.open(path, for: .changingItself)
      } catch {
        if error == .tooManyLinks { throw .exists }
        throw error
      }
    }
    do throws(SystemError) {
      try System.lock(descriptor)
      let status = try System.status(of: descriptor)
      guard status.kind == .file, let records = try Self.records(in: descriptor) else {
        throw .exists
      }
      return (descriptor, status, records)
    } catch {
      try? System.close(descriptor)
      throw error
    }
  }

  /// Returns the records in the file, or nil if the file is not a journal.
  private static func records(in descriptor: Int32) throws(SystemError) -> [JournalRecord]? {
    let limit = (maxSlotCount + maxCandidateCount) * JournalRecord.byteCount
    var bytes = [UInt8](repeating: 0, count: limit + 1)
    var count = 0
    while count < bytes.count {
      var block = [UInt8](repeating: 0, count: bytes.count - count)
      let added = try System.read(descriptor, into: &block, at: count)
      if added == 0 { break }
      bytes.replaceSubrange(count..<count + added, with: block[..<added])
      count += added
    }
    if count > limit { return nil }
    // A power failure may leave an empty file, or zeros.
    if bytes[..<count].allSatisfy({ $0 == 0 }) { return [] }
    let starts = stride(
      from: 0, through: count - JournalRecord.byteCount, by: JournalRecord.byteCount)
    let records = starts.map { JournalRecord(bytes[$0..<$0 + JournalRecord.byteCount]) }
    // A file whose first record is invalid is not a journal.
    return records.first.flatMap(\.self) == nil ? nil : records.compactMap(\.self)
  }

  /// Returns the number of crashes for each output, the most recent candidates first.
  ///
  /// An output in progress adds one crash, even if several threads had it. If an output has two
  /// counts, the higher one applies: a run that was killed at its start may leave both.
  private static func crashCounts(_ records: [JournalRecord]) -> [JournalRecord] {
    var counts: [JournalRecord] = []
    var indexes: [UInt64: Int] = [:]
    var active: Set<UInt64> = []
    for record in records where record.number != 0 {
      if record.crashCount == 0 { active.insert(record.number) }
      if let index = indexes[record.number] {
        counts[index].crashCount = max(counts[index].crashCount, record.crashCount)
      } else if counts.count < maxCandidateCount {
        indexes[record.number] = counts.count
        counts.append(record)
      }
    }
    return counts.map { count in
      JournalRecord(
        number: count.number,
        crashCount: count.crashCount + (active.contains(count.number) ? 1 : 0))
    }
  }

  deinit { try? System.close(descriptor) }

  /// Returns whether a file has the suffix and the content of a journal, unlike a ledger.
  static func isJournal(_ path: String) -> Bool {
    guard path.hasSuffix(Self.path(of: "")), (try? System.status(of: path))?.kind == .file,
      let descriptor = try? System.open(path, for: .reading)
    else { return false }
    defer { try? System.close(descriptor) }
    return (try? records(in: descriptor)) != nil
  }

  // MARK: During a run

  /// Whether the journal has candidates without a result.
  var hasCandidates: Bool { candidates.withLock { !$0.isEmpty } }

  /// Returns the number of times that the program ended during the work on an output, since its
  /// last result.
  func crashCount(of number: UInt64) -> Int {
    candidates.withLock { $0[JournalRecord.key(number)]?.crashCount ?? 0 }
  }

  /// Records that a thread has begun an output.
  func begin(_ number: UInt64, in slot: Int) {
    if slot < slotCount {
      write(JournalRecord(number: JournalRecord.key(number), crashCount: 0), at: slot)
    }
  }

  /// Records that a thread has no output in progress.
  func end(in slot: Int) {
    if slot < slotCount { write(.none, at: slot) }
  }

  /// Removes an output that has a result from the candidates.
  func markSucceeded(_ number: UInt64) {
    let candidate = candidates.withLock { $0.removeValue(forKey: JournalRecord.key(number)) }
    if let candidate { write(.none, at: candidate.index) }
  }

  private func write(_ record: JournalRecord, at index: Int) {
    // Ignore errors: the space is already allocated, and a failing disk is detected when the ledger
    // is written.
    try? System.write(descriptor, record.bytes, at: index * JournalRecord.byteCount)
  }

  /// Removes the file at the regular end of a run, unless candidates remain and `keeps` is true.
  func close(keepingCandidates keeps: Bool) {
    if keeps, !candidates.withLock(\.isEmpty) { return }
    // The path may already be another run's journal.
    if (try? System.status(of: path))?.identity == identity { try? System.remove(path) }
  }
}
