import AacornContainers
package import AacornInspection
import AacornSystem

extension RepairError {
  /// The human-readable reason why a file cannot be repaired.
  package var description: String {
    switch self {
    case .remainingFaults(let count, let first):
      "the repaired file would still have "
        + QuantityText.count(Int(clamping: count), "error")
        + (first.map { ", such as: " + String(decoding: $0.message, as: UTF8.self) } ?? "")
    case .noFrames: "no AAC frame can be recognized in it"
    case .contradictoryTables: "its tables specify more audio than the file contains"
    case .unsupportedStream: "its frames are of a kind that is not supported"
    case .missingDescription:
      "it is fragmented, and its initialization segment is missing"
    case .noStream(let error): Self.text(for: error)
    }
  }

  private static func text(for error: CodedFileError) -> String {
    var text: [UInt8] = []
    error.append(to: &text)
    return String(decoding: text, as: UTF8.self)
  }
}

extension RepairLog.Reason {
  /// The human-readable reason why a part is skipped.
  package var description: String {
    switch self {
    case .garbage: "not a frame"
    case .tornFrame: "a frame that is cut off"
    case .unreadableFrame: "a frame that cannot be read completely, or contains no audio"
    case .wrongChecksum: "a frame that does not match its checksum"
    case .tornTag: "a tag that is cut off"
    }
  }

  /// The machine-readable reason why a part is skipped.
  package var keyword: String {
    switch self {
    case .garbage: "garbage"
    case .tornFrame: "torn-frame"
    case .unreadableFrame: "unreadable-frame"
    case .wrongChecksum: "wrong-checksum"
    case .tornTag: "torn-tag"
    }
  }
}
