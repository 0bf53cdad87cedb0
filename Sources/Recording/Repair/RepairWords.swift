package import AACInspection

extension RepairObstacle {
  /// Why a file cannot be brought back, for people.
  package var words: String {
    switch self {
    case .noFrames: "there is no AAC frame in it that can be recognised"
    case .contradictoryTables: "its tables claim more sound than the file has bytes"
    case .unsupportedStream: "its stream cannot be put into a new file"
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
    case .unreadableFrame: "a frame that cannot be read to its end"
    case .tornTag: "a tag that is cut off"
    }
  }

  /// Why a part is left out, for programs.
  package var word: String {
    switch self {
    case .garbage: "garbage"
    case .tornFrame: "torn-frame"
    case .unreadableFrame: "unreadable-frame"
    case .tornTag: "torn-tag"
    }
  }
}
