import AacornCodec
import AacornContainers
import AacornInspection
import AacornSystem

/// The table of frames, one line per frame.
enum FrameTable {
  private static let columns: [(title: String, width: Int)] = [
    ("Num", 8), ("Profile", 10), ("Frequency", 10), ("Channel", 8), ("Size", 6), ("Time", 11),
    ("Block", 12),
  ]

  static var header: String { line(columns.map(\.title)) }

  static func line(_ row: FrameRow) -> String {
    line([
      "\(row.number)", "\(row.profile.name)", "\(row.sampleRate)", "\(row.channelCount)",
      "\(row.byteCount)", QuantityText.fixed(time(row), decimals: 3), block(row),
    ])
  }

  static func json(_ row: FrameRow) -> JSONValue {
    [
      "type": .text("frame"), "number": .integer(row.number),
      "profile": .word(row.profile.name), "sampleRate": .integer(row.sampleRate),
      "channels": .integer(row.channelCount), "bytes": .integer(row.byteCount),
      "time": .decimal(time(row), 6), "block": .text(block(row)), "offset": .integer(row.offset),
      "usedBits": .optional(row.usedBits),
      "reservoirBits": .optional(row.reservoirBits),
      "faults": .integer(row.faultCount),
    ]
  }

  private static func time(_ row: FrameRow) -> Double {
    row.sampleRate > 0 ? Double(row.samplePosition) / Double(row.sampleRate) : 0
  }

  /// Returns the window sequences of the first two channels; one word if they are equal.
  private static func block(_ row: FrameRow) -> String {
    guard let first = row.firstWindow.map({ "\($0.name)" }) else {
      return row.faultCount > 0 ? "damaged" : "-"
    }
    guard let second = row.secondWindow.map({ "\($0.name)" }), second != first else {
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

/// The text of faults.
enum FaultReport {
  /// Returns a line with severity, position and description.
  ///
  /// `missing` is the amount of missing audio, for a truncated file.
  static func line(
    _ fault: StreamFault, in report: StreamReport, missing: String? = nil
  ) -> String {
    let line = "\(fault.severity.name)\(position(of: fault, in: report)): \(message(fault))"
    guard case .movie(.sampleOutsideFile) = fault.kind, let missing else { return line }
    return line + "; " + missing
  }

  /// Returns the position of a fault with a preposition; empty for a fault of the whole file.
  private static func position(of fault: StreamFault, in report: StreamReport) -> String {
    let bytes = "byte \(fault.offset), \(QuantityText.count(Int(clamping: fault.length), "byte"))"
    switch fault.kind {
    case .noStream, .noFrames, .needsSeekableSource, .sharedBytes, .unfinishedRecording: return ""
    case .rateMismatch: return ""
    case .secondFile: return " at \(bytes)"
    case .movie(.missingMovie), .movie(.noAudioTrack): return ""
    case .movie(.truncated), .movie(.sampleOutsideFile): return " at the end of the file"
    case .movie(.invalidBoxSize), .movie(.boxTooLarge), .movie(.fragmentBeforeMovie):
      return fault.offset == 0 ? " at the beginning of the file" : " at \(bytes)"
    case .movie: return " in the file's index, \(bytes)"
    case .burst: return " in frame \(fault.frame)"
    default:
      guard let seconds = seconds(of: fault.frame, in: report) else {
        return " at \(bytes), frame \(fault.frame)"
      }
      return " at \(QuantityText.duration(seconds)) (\(bytes), frame \(fault.frame))"
    }
  }

  /// Returns the time at which a frame is played; nil if unknown.
  private static func seconds(of frame: Int64, in report: StreamReport) -> Double? {
    guard report.sampleRate > 0 else { return nil }
    let start = Double(frame) * Double(report.frameLength) / Double(report.sampleRate)
    guard let trim = report.trim, report.trimRate > 0 else { return start }
    return max(0, start - Double(trim.priming) / Double(report.trimRate))
  }

  private static func message(_ fault: StreamFault) -> String {
    String(decoding: fault.message, as: UTF8.self)
  }
}
