/// The effect of a key during playback.
enum PlayKey: Equatable {
  case pause, back, forward, louder, softer, next, previous, slower, faster, stop, help

  /// Returns the meaning of a key, or nil.
  init?(_ key: KeyPress) {
    switch key {
    case .left: self = .back
    case .right: self = .forward
    case .up: self = .louder
    case .down: self = .softer
    case .character(let character):
      switch character {
      case " ": self = .pause
      case "+", "=": self = .louder
      case "-", "_": self = .softer
      case "n", "N": self = .next
      case "p", "P": self = .previous
      case "[": self = .slower
      case "]": self = .faster
      case "q", "Q": self = .stop
      case "?": self = .help
      default: return nil
      }
    }
  }

  /// The help for all keys except the one that stops.
  static let list =
    "space pauses, ← and → jump 5 seconds, ↑ and ↓ or + and - change the volume, n and p select the "
    + "next and the previous file, [ and ] change the speed"
}
