import AacornRecording
import AacornSystem

/// The offsets of the last ledger entry for each line of a part, in the order of the manifest.
///
/// The manifest and the ledger are read once each, and joined by the numbers of the outputs. The
/// result is returned in windows of lines, so it does not have to fit into memory.
final class LedgerOffsets {
  private let found: RecordSpool<LedgerOffset>
  private let windowCount: Int
  /// The current window of offsets.
  private var window: [LedgerOffset] = []
  private var index = 0
  private var nextWindow = 0

  /// Reads the manifest and the ledger completely.
  init(
    _ manifest: ManifestReader, _ ledger: String, _ settings: BatchRun.Settings,
    recordLimit: Int, _ interruption: Interruption
  ) throws(CommandFailure) {
    let asked = RecordSpool<OutputKey>(beside: ledger, limit: recordLimit, interruption)
    let lines = try LedgerLines(ledger, interruption)
    while let (bytes, offset) = try lines.next() {
      guard let output = LedgerLines.output(in: bytes) else { continue }
      try asked.append(OutputKey(ManifestLine.number(of: output), offset: offset))
    }
    var lineCount = 0
    while let (bytes, number) = try manifest.next() {
      if number % 4096 == 0, let signal = interruption.signal {
        throw CommandFailure(signal: signal)
      }
      guard let line = try? ManifestLine(bytes, number: number, settings.naming),
        settings.shard.contains(line.outputNumber)
      else { continue }
      try asked.append(OutputKey(line.outputNumber, line: lineCount))
      lineCount += 1
    }
    windowCount = lineCount / recordLimit + 1
    let found = RecordSpool<LedgerOffset>(
      beside: ledger, limit: recordLimit, groupCount: windowCount, interruption
    ) { $0.line / recordLimit }
    self.found = found
    try asked.forEachGroup { (group) throws(CommandFailure) in
      var known: (number: UInt64, place: Int)?
      for record in group {
        if let offset = record.offset {
          known = (record.number, offset)
        } else if let line = record.line, let known, known.number == record.number {
          try found.append(LedgerOffset(line: line, offset: known.place))
        }
      }
    }
  }

  /// Returns the offset of the last ledger entry for a line of the part, or nil.
  ///
  /// `line` is the index of the line, from 0, and must increase from call to call.
  func offset(of line: Int) throws(CommandFailure) -> Int? {
    while true {
      while index < window.count {
        if window[index].line == line { return window[index].offset }
        if window[index].line > line { return nil }
        index += 1
      }
      if nextWindow >= windowCount { return nil }
      window = try found.group(nextWindow)
      index = 0
      nextWindow += 1
    }
  }
}

/// A record of a ledger line about an output, or of a manifest line with that output.
private struct OutputKey: NumberedRecord {
  let number: UInt64
  /// A ledger offset or, with the top bit set, the index of a manifest line.
  private let value: UInt64

  private static let lineMark: UInt64 = 1 << 63

  init(_ number: UInt64, offset: Int) { (self.number, value) = (number, UInt64(offset)) }

  init(_ number: UInt64, line: Int) {
    (self.number, value) = (number, UInt64(line) | Self.lineMark)
  }

  private var isLine: Bool { value & Self.lineMark != 0 }
  var offset: Int? { isLine ? nil : Int(value) }
  var line: Int? { isLine ? Int(value & ~Self.lineMark) : nil }

  /// Sorts records of an output together: ledger offsets in order, then manifest lines.
  static func < (one: OutputKey, other: OutputKey) -> Bool {
    (one.number, one.value) < (other.number, other.value)
  }

  static let byteCount = 16

  func write(to bytes: inout [UInt8]) {
    bytes.append(number: number)
    bytes.append(number: value)
  }

  init(written bytes: ArraySlice<UInt8>) {
    (number, value) = (bytes.number(0), bytes.number(1))
  }

  /// Keeps the last ledger line about each output.
  static func reduce(_ records: inout [OutputKey]) {
    records.keepLast { $0.number == $1.number && !$0.isLine && !$1.isLine }
  }
}

/// The ledger offset for a manifest line.
private struct LedgerOffset: SpooledRecord {
  let line: Int
  let offset: Int

  init(line: Int, offset: Int) { (self.line, self.offset) = (line, offset) }

  static func < (one: LedgerOffset, other: LedgerOffset) -> Bool { one.line < other.line }

  static let byteCount = 16

  func write(to bytes: inout [UInt8]) {
    bytes.append(number: UInt64(line))
    bytes.append(number: UInt64(offset))
  }

  init(written bytes: ArraySlice<UInt8>) {
    self.init(
      line: Int(truncatingIfNeeded: bytes.number(0)),
      offset: Int(truncatingIfNeeded: bytes.number(1)))
  }

  static func reduce(_ records: inout [LedgerOffset]) {}
}
