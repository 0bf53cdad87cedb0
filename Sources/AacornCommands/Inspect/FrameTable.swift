import AacornCodec
import AacornInspection
import AacornRecording
import AacornSystem

/// The table of frames, one line per frame.
enum FrameTable {
  private static let columns: [(title: String, width: Int)] = [
    ("Num", 8), ("Profile", 10), ("Frequency", 10), ("Channel", 8), ("Size", 6), ("Time", 11),
    ("Block", 12),
  ]

  /// The titles of the columns.
  static var header: String { line(columns.map(\.title)) }

  static func line(_ row: FrameRow) -> String {
    line([
      "\(row.number)", "\(row.profile.name)", "\(row.sampleRate)", "\(row.channelCount)",
      "\(row.byteCount)", QuantityText.fixed(time(row), decimals: 3), block(row),
    ])
  }

  static func json(_ row: FrameRow) -> JSONValue {
    .object([
      .init("type", .text("frame")), .init("number", .clamped(row.number)),
      .init("profile", .text("\(row.profile.name)")), .init("sampleRate", .integer(row.sampleRate)),
      .init("channels", .integer(row.channelCount)), .init("bytes", .integer(row.byteCount)),
      .init("time", .decimal(time(row), 6)), .init("block", .text(block(row))),
      .init("offset", .clamped(row.offset)),
      .init("usedBits", .optional(row.usedBits)),
      .init("reservoirBits", .optional(row.reservoirBits.map { Int(clamping: $0) })),
      .init("faults", .integer(row.faultCount)),
    ])
  }

  private static func time(_ row: FrameRow) -> Double {
    row.sampleRate > 0 ? Double(row.samplePosition) / Double(row.sampleRate) : 0
  }

  /// Returns the window sequences of the first two channels; one word if they are equal.
  private static func block(_ row: FrameRow) -> String {
    guard let first = row.firstWindow.map(FaultReport.window) else {
      return row.faultCount > 0 ? "damaged" : "-"
    }
    guard let second = row.secondWindow.map(FaultReport.window), second != first else {
      return first
    }
    return first + "/" + second
  }

  private static func line(_ cells: [String]) -> String {
    var line = ""
    for (cell, column) in zip(cells, columns) {
      if !line.isEmpty { line += "|" }
      line += String(repeating: " ", count: max(0, column.width - cell.count)) + cell
    }
    return line
  }
}
