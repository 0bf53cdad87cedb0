import AacornRecording
import AacornSystem

/// A record of fixed size that a `RecordSpool` groups and compares.
protocol SpooledRecord: Comparable {
  /// The size of the record in a file, in bytes.
  static var byteCount: Int { get }
  /// Appends the record in the form of the file.
  func write(to bytes: inout [UInt8])
  /// Reads a record that `write(to:)` has written.
  init(written bytes: ArraySlice<UInt8>)
  /// Removes redundant records from a sorted array.
  static func reduce(_ records: inout [Self])
}

/// A spool of any number of records in groups, each of which fits into memory.
///
/// A small number of records stays in memory. More records are written to an unnamed file, in
/// blocks for each group, and each group is read back separately. So each record is written and
/// read once, and the memory use is limited.
final class RecordSpool<Record: SpooledRecord> {
  private let folder: String
  private let limit: Int
  private let groupCount: Int
  private let groupIndex: (Record) -> Int
  private let blockCount: Int
  private let interruption: Interruption
  /// All records while they are in memory.
  private var records: [Record] = []
  private var groups: [Group] = []
  private var file: Int32?
  /// The end of the file.
  private var end = 0

  private struct Group {
    /// The offsets of the group's blocks in the file.
    var blockOffsets: [Int] = []
    /// The records of an incomplete block.
    var rest: [Record] = []
  }

  /// Creates an empty spool whose temporary file, if needed, is in `TMPDIR` or in the folder of
  /// `path`.
  ///
  /// `groupIndex` returns the group of a record; records to compare must share a group.
  init(
    beside path: String, limit: Int, groupCount: Int, _ interruption: Interruption,
    chosenFolder: String? = System.environment("TMPDIR"), groupIndex: @escaping (Record) -> Int
  ) {
    let chosen = chosenFolder ?? ""
    folder = chosen.isEmpty ? FileName.folder(path) : chosen
    self.limit = limit
    self.groupCount = groupCount
    self.groupIndex = groupIndex
    blockCount = min(2048, max(1, limit / 16))
    self.interruption = interruption
  }

  deinit {
    if let file { try? System.close(file) }
  }

  /// Adds a record.
  func append(_ record: Record) throws(CommandFailure) {
    if file != nil { return try put(record) }
    records.append(record)
    if records.count < limit { return }
    Self.reduce(&records)
    // Reducing may have removed enough records, so that the others can stay in memory.
    if records.count <= limit / 2 { return }
    try makeFile()
    groups = Array(repeating: Group(), count: groupCount)
    for record in records { try put(record) }
    records = []
  }

  /// Calls `body` with the records of each group, sorted and reduced; records in memory are one
  /// group.
  func forEachGroup(
    _ body: ([Record]) throws(CommandFailure) -> Void
  ) throws(CommandFailure) {
    if file == nil {
      Self.reduce(&records)
      return try body(records)
    }
    for index in groups.indices { try body(group(index)) }
  }

  /// Returns the records of a group, sorted and reduced.
  func group(_ index: Int) throws(CommandFailure) -> [Record] {
    guard let file else {
      var group = records.filter { groupIndex($0) == index }
      Self.reduce(&group)
      return group
    }
    var group: [Record] = []
    var room = limit
    for offset in groups[index].blockOffsets {
      if let signal = interruption.signal { throw CommandFailure(signal: signal) }
      let bytes = try read(file, at: offset)
      for start in stride(from: 0, to: bytes.count, by: Record.byteCount) {
        group.append(Record(written: bytes[start..<start + Record.byteCount]))
      }
      if group.count >= room {
        Self.reduce(&group)
        room = max(limit, 2 * group.count)
      }
    }
    group += groups[index].rest
    Self.reduce(&group)
    return group
  }

  private static func reduce(_ records: inout [Record]) {
    records.sort()
    Record.reduce(&records)
  }

  private func put(_ record: Record) throws(CommandFailure) {
    let index = groupIndex(record)
    groups[index].rest.append(record)
    if groups[index].rest.count < blockCount { return }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(blockCount * Record.byteCount)
    for record in groups[index].rest { record.write(to: &bytes) }
    groups[index].rest.removeAll(keepingCapacity: true)
    guard let file else { return }
    do throws(SystemError) {
      try System.write(file, bytes, at: end)
    } catch {
      throw failure(error)
    }
    groups[index].blockOffsets.append(end)
    end += bytes.count
  }

  private func makeFile() throws(CommandFailure) {
    do throws(SystemError) {
      let (path, descriptor) = try System.makeTemporaryFile(
        beside: FileName.joined(folder, "lines"), like: nil, permissions: 0o600)
      file = descriptor
      // A file without a name is deleted by the system, however the program ends.
      try System.remove(path)
    } catch {
      throw failure(error)
    }
  }

  private func read(_ file: Int32, at offset: Int) throws(CommandFailure) -> [UInt8] {
    let byteCount = blockCount * Record.byteCount
    var bytes: [UInt8] = []
    while bytes.count < byteCount {
      var rest = [UInt8](repeating: 0, count: byteCount - bytes.count)
      let count: Int
      do throws(SystemError) {
        count = try System.read(file, into: &rest, at: offset + bytes.count)
      } catch {
        throw failure(error)
      }
      if count == 0 { throw failure("its content was removed") }
      bytes += rest[..<count]
    }
    return bytes
  }

  private func failure(_ error: SystemError) -> CommandFailure {
    switch error {
    case .diskFull, .quotaReached: failure("the disk is full")
    case .fileTooLarge: failure("it has reached the maximum file size (ulimit -f)")
    default: failure(error.text)
    }
  }

  private func failure(_ reason: String) -> CommandFailure {
    CommandFailure(
      .cannotWrite,
      "The check of the manifest needs a temporary file, which cannot be written to "
        + "“\(displayed(folder))”: \(reason).",
      .text("Make room there, or choose another folder with the variable TMPDIR."))
  }
}

extension RecordSpool where Record: NumberedRecord {
  /// Creates a spool that groups records by number.
  convenience init(
    beside path: String, limit: Int, _ interruption: Interruption,
    chosenFolder: String? = System.environment("TMPDIR")
  ) {
    let count = 256 as UInt64
    self.init(
      beside: path, limit: limit, groupCount: Int(count), interruption, chosenFolder: chosenFolder
    ) { record in
      // The lower bits select the shard of a line, so use upper bits.
      Int((record.number >> 40) % count)
    }
  }
}

/// A record about the file or output with a number.
protocol NumberedRecord: SpooledRecord {
  var number: UInt64 { get }
}

/// The maximum number of records that a `RecordSpool` keeps in memory.
enum RecordLimit {
  static let defaultValue = 1 << 20
}

extension [UInt8] {
  /// Appends a number in little-endian order.
  mutating func append(number: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) {
      append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
    }
  }
}

extension ArraySlice<UInt8> {
  /// Returns the number at an index among consecutive little-endian numbers of 64 bits.
  func number(_ index: Int) -> UInt64 {
    let start = startIndex + 8 * index
    return self[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
