import AacornCodec
import AacornContainers
import AacornInspection
import AacornRecording
import AacornSystem

/// The text and the JSON of faults.
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

  static func json(_ fault: StreamFault) -> JSONValue {
    .object([
      .init("severity", .text("\(fault.severity.name)")), .init("kind", .text("\(fault.name)")),
      .init("offset", .clamped(fault.offset)),
      .init("length", .clamped(fault.length)),
      .init("frame", .clamped(fault.frame)),
      .init("message", .text(message(fault))),
    ])
  }

  static func window(_ sequence: WindowSequence) -> String { "\(sequence.name)" }

  private static func message(_ fault: StreamFault) -> String {
    String(decoding: fault.message, as: UTF8.self)
  }
}
