/// The effect of a key during a recording.
enum RecordKey: Equatable {
  case pause, mute, hear, newFile, stop
  /// Starts or stops the track of the key with this number.
  case track(Int)

  /// The meaning of a key, if it has one.
  init?(_ key: Character) {
    switch key {
    case " ", "p", "P": self = .pause
    case "m", "M": self = .mute
    case "h", "H": self = .hear
    case "n", "N": self = .newFile
    case "q", "Q": self = .stop
    default:
      guard key.isASCII, let number = key.wholeNumberValue, number > 0 else { return nil }
      self = .track(number)
    }
  }
}
