/// The effect of a key during a recording.
enum RecordKey: Equatable {
  case pause, mute, hear, newFile, stop

  /// The meaning of a key, if it has one.
  init?(_ key: Character) {
    switch key {
    case " ", "p", "P": self = .pause
    case "m", "M": self = .mute
    case "h", "H": self = .hear
    case "n", "N": self = .newFile
    case "q", "Q": self = .stop
    default: return nil
    }
  }
}
