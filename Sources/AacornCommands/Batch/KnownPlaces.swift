import AacornRecording
import AacornSystem

/// The offsets of the last ledger entry for each line of a part, in the order of the manifest.
///
/// The manifest and the ledger are read once each, and joined by the numbers of the outputs. The
/// result
/// is returned in windows of lines, so it does not have to fit into memory.
final class KnownPlaces {
  private let found: RecordPile<FoundPlace>
  private let windowCount: Int
  /// The current window, and the index of the next element in it.
  private var places: [FoundPlace] = []
  private var index = 0
  private var nextWindow = 0

  /// Reads the manifest and the ledger completely.
  init(
    _ manifest: ManifestReader, _ ledger: String, _ settings: BatchRun.Settings,
    recordLimit: Int, _ interruption: Interruption
  ) throws(CommandFailure) {
    let asked = RecordPile<AskedPlace>(beside: ledger, limit: recordLimit, interruption)
    let lines = try LedgerLines(ledger, interruption)
    while let (bytes, offset) = try lines.next() {
      guard let output = LedgerLines.output(in: bytes) else { continue }
      try asked.append(AskedPlace(ManifestLine.number(of: output), place: offset))
    }
    var lineCount = 0
    while let (bytes, number) = try manifest.next() {
      if number % 4096 == 0, let signal = interruption.signal {
        throw CommandFailure(signal: signal)
      }
      guard let line = try? ManifestLine(bytes, number: number, settings.naming),
        settings.shard.contains(line.outputNumber)
      else { continue }
      try asked.append(AskedPlace(line.outputNumber, line: lineCount))
      lineCount += 1
    }
    windowCount = lineCount / recordLimit + 1
    let found = RecordPile<FoundPlace>(
      beside: ledger, limit: recordLimit, groupCount: windowCount, interruption
    ) { $0.line / recordLimit }
    self.found = found
    try asked.forEachGroup { (group) throws(CommandFailure) in
      var known: (number: UInt64, place: Int)?
      for record in group {
        if let place = record.place {
          known = (record.number, place)
        } else if let line = record.line, let known, known.number == record.number {
          try found.append(FoundPlace(line: line, place: known.place))
        }
      }
    }
  }

  /// Returns the offset of the last ledger entry for a line of the part, or nil.
  ///
  /// `line` is the index of the line, from 0, and must increase from call to call.
  func place(of line: Int) throws(CommandFailure) -> Int? {
    while true {
      while index < places.count {
        if places[index].line == line { return places[index].place }
        if places[index].line > line { return nil }
        index += 1
      }
      if nextWindow >= windowCount { return nil }
      places = try found.group(nextWindow)
      index = 0
      nextWindow += 1
    }
  }
}

/// A record of a ledger line about an output, or of a manifest line with that output.
private struct AskedPlace: NumberedRecord {
  let number: UInt64
  /// A ledger offset or, with the top bit set, the index of a manifest line.
  private let value: UInt64

  private static let lineMark: UInt64 = 1 << 63

  init(_ number: UInt64, place: Int) { (self.number, value) = (number, UInt64(place)) }

  init(_ number: UInt64, line: Int) {
    (self.number, value) = (number, UInt64(line) | Self.lineMark)
  }

  private var isLine: Bool { value & Self.lineMark != 0 }
  var place: Int? { isLine ? nil : Int(value) }
  var line: Int? { isLine ? Int(value & ~Self.lineMark) : nil }

  /// Sorts records of an output together: ledger offsets in order, then manifest lines.
  static func < (one: AskedPlace, other: AskedPlace) -> Bool {
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
  static func reduce(_ records: inout [AskedPlace]) {
    records.keepLast { $0.number == $1.number && !$0.isLine && !$1.isLine }
  }
}

/// The ledger offset for a manifest line.
private struct FoundPlace: PiledRecord {
  let line: Int
  let place: Int

  init(line: Int, place: Int) { (self.line, self.place) = (line, place) }

  static func < (one: FoundPlace, other: FoundPlace) -> Bool { one.line < other.line }

  static let byteCount = 16

  func write(to bytes: inout [UInt8]) {
    bytes.append(number: UInt64(line))
    bytes.append(number: UInt64(place))
  }

  init(written bytes: ArraySlice<UInt8>) {
    self.init(
      line: Int(truncatingIfNeeded: bytes.number(0)),
      place: Int(truncatingIfNeeded: bytes.number(1)))
  }

  static func reduce(_ records: inout [FoundPlace]) {}
}
