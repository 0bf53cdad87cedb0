package import AacornInspection
import AacornSystem

extension RepairObstacle {
  /// Why a file cannot be repaired, for people.
  package var words: String {
    switch self {
    case .remainingFaults(let count, let first):
      "what can be made of it would still have "
        + QuantityText.count(Int(clamping: count), "error")
        + (first.map { ", such as: " + String(decoding: $0.message, as: UTF8.self) } ?? "")
    case .noFrames: "there is no AAC frame in it that can be recognized"
    case .contradictoryTables: "its tables claim more sound than the file has bytes"
    case .unsupportedStream: "its frames are of a kind that can be neither read nor written here"
    case .missingDescription:
      "it holds fragments, and what describes them at its beginning is lost"
    }
  }
}

extension RepairLog.Reason {
  /// Why a part is left out, for people.
  package var words: String {
    switch self {
    case .garbage: "no frame"
    case .tornFrame: "a frame that is cut off"
    case .unreadableFrame: "a frame that cannot be read to its end, or holds no sound"
    case .wrongChecksum: "a frame that its checksum does not agree with"
    case .tornTag: "a tag that is cut off"
    }
  }

  /// Why a part is left out, for programs.
  package var word: String {
    switch self {
    case .garbage: "garbage"
    case .tornFrame: "torn-frame"
    case .unreadableFrame: "unreadable-frame"
    case .wrongChecksum: "wrong-checksum"
    case .tornTag: "torn-tag"
    }
  }
}
