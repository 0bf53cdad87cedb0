import AacornRecording
import AacornSystem

/// Notes what a run has begun and not ended, in a file beside its ledger.
///
/// What stands there when a run starts was in work when the last one was killed or crashed. It is a
/// suspect: it is counted how often the program ended while it was in work, until it has a result. What it
/// is made of belongs to it: another input or other settings have ended nothing yet.
///
/// A record is written in place, for each thread one, and then one for each suspect, so the file does not
/// grow. A run begins by writing all of it at once, with what the last one had in work counted. Nothing is
/// synchronized: what was written outlives the program, and a power cut is no reason to suspect anything.
final class BatchJournal: Sendable {
  let path: String
  private let descriptor: Int32
  private let identity: System.FileStatus.Identity
  private let slotCount: Int
  private let suspects: Lock<[UInt64: Suspect]>

  private struct Suspect {
    /// How often the program ended while it was in work.
    let endingCount: Int
    /// The number of its record.
    let index: Int
  }

  /// Suspects that are kept; a run begins no more than so many at once.
  static let mostSuspects = 1024

  /// Threads whose work is noted; more do without.
  static let mostSlots = 1024

  /// The file of a ledger.
  static func path(of ledger: String) -> String { ledger + ".begun" }

  /// Opens the file of a ledger, or begins it, with room for what so many threads begin.
  init(of ledger: String, slotCount: Int) throws(CommandFailure) {
    path = Self.path(of: ledger)
    let slotCount = min(slotCount, Self.mostSlots)
    self.slotCount = slotCount
    let records: [JournalRecord]
    let oldSize: Int
    do throws(SystemError) {
      let status: System.FileStatus
      (descriptor, status, records) = try Self.take(path)
      (identity, oldSize) = (status.identity, status.size)
    } catch {
      if error != .exists { throw CommandFailure(creating: path, error) }
      throw CommandFailure(
        .exists,
        "“\(displayed(path))” already exists and is not a journal of a run. It was not changed.",
        .words("Remove it, or choose another name with --ledger."))
    }
    let counts = Self.endings(records)
    var found: [UInt64: Suspect] = [:]
    var bytes = Array(repeating: JournalRecord.none.bytes, count: slotCount).flatMap(\.self)
    for (offset, count) in counts.enumerated() {
      found[count.number] = Suspect(endingCount: count.endingCount, index: slotCount + offset)
      bytes += count.bytes
    }
    suspects = Lock(found)
    let size = bytes.count
    // Until the file is cut, what is behind would be counted once more.
    while bytes.count < oldSize { bytes += JournalRecord.none.bytes }
    do throws(SystemError) {
      try System.write(descriptor, bytes, at: 0)
      try System.truncate(descriptor, to: size)
    } catch {
      throw CommandFailure(.write, path, error)
    }
  }

  /// Opens and locks it, since a run whose ledger was replaced may still have it, and reads it.
  ///
  /// Throws `exists` if it is something else. A symbolic link is so, too, wherever it leads: who may make links
  /// beside the ledger could choose what is written to.
  private static func take(
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

  /// What stands in it; nil if it is something else.
  private static func records(in descriptor: Int32) throws(SystemError) -> [JournalRecord]? {
    let limit = (mostSlots + mostSuspects) * JournalRecord.byteCount
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
    // A power cut may leave nothing, or zeros.
    if bytes[..<count].allSatisfy({ $0 == 0 }) { return [] }
    let starts = stride(
      from: 0, through: count - JournalRecord.byteCount, by: JournalRecord.byteCount)
    let records = starts.map { JournalRecord(bytes[$0..<$0 + JournalRecord.byteCount]) }
    // What is another file is so from the start.
    return records.first.flatMap(\.self) == nil ? nil : records.compactMap(\.self)
  }

  /// How often the program ended while each output was in work, those first that were so last.
  ///
  /// However often an output is in work, it ended the program once; and what is counted twice was left so
  /// by a run that was killed while it began.
  private static func endings(_ records: [JournalRecord]) -> [JournalRecord] {
    var counts: [JournalRecord] = []
    var indexes: [UInt64: Int] = [:]
    var inWork: Set<UInt64> = []
    for record in records where record.number != 0 {
      if record.endingCount == 0 { inWork.insert(record.number) }
      if let index = indexes[record.number] {
        counts[index].endingCount = max(counts[index].endingCount, record.endingCount)
      } else if counts.count < mostSuspects {
        indexes[record.number] = counts.count
        counts.append(record)
      }
    }
    return counts.map { count in
      JournalRecord(
        number: count.number,
        endingCount: count.endingCount + (inWork.contains(count.number) ? 1 : 0))
    }
  }

  deinit { try? System.close(descriptor) }

  /// Whether a file is such a one, and no ledger, though its name begins like one.
  static func isJournal(_ path: String) -> Bool {
    guard path.hasSuffix(Self.path(of: "")), (try? System.status(of: path))?.kind == .file,
      let descriptor = try? System.open(path, for: .reading)
    else { return false }
    defer { try? System.close(descriptor) }
    return (try? records(in: descriptor)) != nil
  }

  // MARK: During a run

  /// Whether the program ended while something was in work that has no result since.
  var hasSuspects: Bool { suspects.withLock { !$0.isEmpty } }

  /// How often the program ended while an output was in work that has no result since.
  func endingCount(of number: UInt64) -> Int {
    suspects.withLock { $0[JournalRecord.key(number)]?.endingCount ?? 0 }
  }

  /// Notes that a thread begins an output.
  func begin(_ number: UInt64, in slot: Int) {
    if slot < slotCount {
      write(JournalRecord(number: JournalRecord.key(number), endingCount: 0), at: slot)
    }
  }

  /// Notes that a thread has nothing in work.
  func end(in slot: Int) {
    if slot < slotCount { write(.none, at: slot) }
  }

  /// Notes that an output has a result, after which nothing is held against it.
  func acquit(_ number: UInt64) {
    let suspect = suspects.withLock { $0.removeValue(forKey: JournalRecord.key(number)) }
    if let suspect { write(.none, at: suspect.index) }
  }

  private func write(_ record: JournalRecord, at index: Int) {
    // There is room for it already. Where a disk fails all the same, the ledger will tell.
    try? System.write(descriptor, record.bytes, at: index * JournalRecord.byteCount)
  }

  /// Removes the file at the orderly end of a run, unless it `keeps` suspects whose turn has not come.
  func close(keepingSuspects keeps: Bool) {
    if keeps, !suspects.withLock(\.isEmpty) { return }
    // By now it may be the file of another run.
    if (try? System.status(of: path))?.identity == identity { try? System.remove(path) }
  }
}
