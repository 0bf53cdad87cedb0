/// The effect of a key during a recording or a stream.
enum RecordKey: Equatable {
  case pause, mute, monitor, newFile, stop, help
  /// Starts or stops the track of the key with this number.
  case track(Int)

  /// Returns the meaning of a key, or nil.
  init?(_ key: Character) {
    switch key {
    case " ", "p", "P": self = .pause
    case "m", "M": self = .mute
    case "h", "H": self = .monitor
    case "n", "N": self = .newFile
    case "q", "Q": self = .stop
    case "?": self = .help
    default:
      guard key.isASCII, let number = key.wholeNumberValue, number > 0 else { return nil }
      self = .track(number)
    }
  }

  static let recordingList = "space pauses, m mutes, h monitors, n starts a new file"
  static let streamingList = "m mutes, h monitors"
  /// The hint in the bottom line.
  static let hint = "q stops, ? lists keys"
  /// The hint in a narrow terminal.
  static let shortHint = "q stops"
}
