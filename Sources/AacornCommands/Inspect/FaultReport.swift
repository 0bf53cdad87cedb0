import AacornCodec
import AacornInspection
import AacornRecording
import AacornSystem

/// The text and the JSON of faults.
enum FaultReport {
  /// Returns a line with severity, position and description.
  ///
  /// A missing stream has no position.
  static func line(_ fault: StreamFault) -> String {
    if case .noStream = fault.kind { return "\(fault.severity.name): \(message(fault))" }
    if case .burst = fault.kind {
      return "\(fault.severity.name) in frame \(fault.frame): \(message(fault))"
    }
    let byteRange =
      "byte \(fault.offset), \(QuantityText.count(Int(clamping: fault.length), "byte"))"
    return "\(fault.severity.name) at \(byteRange), frame \(fault.frame): \(message(fault))"
  }

  /// Returns the fault as JSON.
  static func json(_ fault: StreamFault) -> JSONValue {
    .object([
      .init("severity", .text("\(fault.severity.name)")), .init("kind", .text("\(fault.name)")),
      .init("offset", .integer(Int(clamping: fault.offset))),
      .init("length", .integer(Int(clamping: fault.length))),
      .init("frame", .integer(Int(clamping: fault.frame))),
      .init("message", .text(message(fault))),
    ])
  }

  /// Returns the name of a window sequence.
  static func window(_ sequence: WindowSequence) -> String { "\(sequence.name)" }

  private static func message(_ fault: StreamFault) -> String {
    String(decoding: fault.message, as: UTF8.self)
  }
}
