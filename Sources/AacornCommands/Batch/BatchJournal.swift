import AacornRecording
import AacornSystem

/// Notes what a run has begun and not ended, in a file beside its ledger.
///
/// What stands there when a run starts was in work when the last one was killed or crashed. Such an output
/// is a suspect: it is counted how often the program ended while it was in work, until it has a result.
///
/// A record is written in place, for each thread one, and then one for each suspect, so the file does not
/// grow. Nothing is synchronized: what was written outlives the program, and a power cut is no reason to
/// suspect anything.
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

  /// The file of a ledger.
  static func path(of ledger: String) -> String { ledger + ".begun" }

  /// Opens the file of a ledger, or begins it, with room for what so many threads begin.
  init(of ledger: String, slotCount: Int) throws(CommandFailure) {
    path = Self.path(of: ledger)
    self.slotCount = slotCount
    let records: [JournalRecord]?
    do throws(SystemError) {
      (descriptor, identity, records) = try Self.take(path)
    } catch {
      throw CommandFailure(creating: path, error)
    }
    guard let records else {
      try? System.close(descriptor)
      throw CommandFailure(
        .exists,
        "“\(displayed(path))” already exists and does not tell what a run has begun, so it was left alone.",
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
    do throws(SystemError) {
      try System.write(descriptor, bytes, at: 0)
      try System.truncate(descriptor, to: bytes.count)
    } catch {
      throw CommandFailure(.write, path, error)
    }
  }

  /// Opens and locks it, since a run whose ledger was replaced may still have it, and reads it.
  private static func take(
    _ path: String
  ) throws(SystemError) -> (Int32, System.FileStatus.Identity, [JournalRecord]?) {
    let descriptor: Int32
    do throws(SystemError) {
      descriptor = try System.open(path, for: .creating)
    } catch {
      if error != .exists { throw error }
      descriptor = try System.open(path, for: .changing)
    }
    do throws(SystemError) {
      try System.lock(descriptor)
      let status = try System.status(of: descriptor)
      if status.kind != .file { throw .exists }
      return (descriptor, status.identity, try records(in: descriptor))
    } catch {
      try? System.close(descriptor)
      throw error
    }
  }

  /// What stands in it; nil if it is something else.
  private static func records(in descriptor: Int32) throws(SystemError) -> [JournalRecord]? {
    // Of more threads there are none.
    let limit = 2 * mostSuspects * JournalRecord.byteCount
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
  private static func endings(_ records: [JournalRecord]) -> [JournalRecord] {
    var counts: [JournalRecord] = []
    var indexes: [UInt64: Int] = [:]
    var inWork: Set<UInt64> = []
    for record in records where record.number != 0 {
      // What was in work has no count of its own yet; lines that come may ask for an output twice.
      if record.endingCount == 0, !inWork.insert(record.number).inserted { continue }
      let added = max(1, record.endingCount)
      if let index = indexes[record.number] {
        counts[index].endingCount = min(
          counts[index].endingCount + added, JournalRecord.mostEndings)
      } else if counts.count < mostSuspects {
        indexes[record.number] = counts.count
        counts.append(JournalRecord(number: record.number, endingCount: added))
      }
    }
    return counts
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

  /// How often the program ended while an output was in work that has no result since.
  func endingCount(of number: UInt64) -> Int {
    suspects.withLock { $0[JournalRecord.key(number)]?.endingCount ?? 0 }
  }

  /// Notes that a thread begins an output.
  func begin(_ number: UInt64, in slot: Int) {
    write(JournalRecord(number: JournalRecord.key(number), endingCount: 0), at: slot)
  }

  /// Notes that a thread has nothing in work.
  func end(in slot: Int) { write(.none, at: slot) }

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

/// A record of a journal: a line of text that always has the same length.
struct JournalRecord: Equatable {
  /// The number of an output; 0 if there is none.
  let number: UInt64
  /// How often the program ended while it was in work; 0 as long as it is.
  var endingCount: Int

  static let none = JournalRecord(number: 0, endingCount: 0)

  /// The number that stands for an output, which is never 0.
  static func key(_ number: UInt64) -> UInt64 { max(1, number) }

  /// More are not counted: no run waits for so many, and no line of a ledger tells of a thousand.
  static let mostEndings = 200

  private static let numberDigits = 16
  private static let countDigits = 3
  static let byteCount = numberDigits + countDigits + 2

  init(number: UInt64, endingCount: Int) {
    self.number = number
    self.endingCount = min(endingCount, Self.mostEndings)
  }

  /// Such as `00c0ffee00c0ffee 001`, with the end of the line.
  var bytes: [UInt8] {
    func digits(_ value: UInt64, _ count: Int, radix: Int) -> [UInt8] {
      let text = Array(String(value, radix: radix).utf8)
      return Array(repeating: UInt8(ascii: "0"), count: count - text.count) + text
    }
    return digits(number, Self.numberDigits, radix: 16) + [UInt8(ascii: " ")]
      + digits(UInt64(endingCount), Self.countDigits, radix: 10) + [UInt8(ascii: "\n")]
  }

  /// Reads what `bytes` has written; nil if it is something else.
  init?(_ bytes: ArraySlice<UInt8>) {
    let parts = String(decoding: bytes, as: UTF8.self).split(
      separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count == Self.numberDigits,
      let number = UInt64(parts[0], radix: 16), parts[1].last == "\n",
      parts[1].utf8.count == Self.countDigits + 1, let count = Int(parts[1].dropLast()), count >= 0
    else { return nil }
    self.init(number: number, endingCount: count)
  }
}
