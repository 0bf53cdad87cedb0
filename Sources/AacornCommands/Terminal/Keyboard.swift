import AacornSystem

/// The keyboard of a terminal, read key by key.
final class Keyboard {
  private var decoder = KeyDecoder()
  private var isOpen = true

  /// Opens the keyboard of this process; nil without a terminal.
  init?(of console: Console) {
    guard console.isLive, System.isTerminal(System.standardInput) else { return nil }
    _ = System.takeKeys()
  }

  deinit {
    System.releaseKeys()
  }

  /// The descriptor to wait for; nil while another program uses the terminal.
  var descriptor: Int32? {
    isOpen && System.takeKeys() ? System.standardInput : nil
  }

  /// Returns the keys pressed since the last call, without blocking.
  func keys() -> [KeyPress] {
    guard let descriptor, System.isReadable(descriptor) else { return [] }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = (try? System.read(descriptor, into: &bytes)) ?? 0
    // Zero bytes mean that the terminal was closed; it would stay readable forever.
    if count == 0 { isOpen = false }
    return decoder.keys(in: bytes[..<count])
  }
}

enum KeyPress: Equatable {
  case character(Character)
  case up, down, left, right
}

/// A decoder of a terminal's bytes into keys; keys other than characters and arrows are skipped.
struct KeyDecoder: Equatable {
  private enum State: Equatable {
    case ordinary
    /// After the escape character.
    case escape
    /// Inside a sequence that ends with a letter or a tilde, before any parameter.
    case sequence
    /// Inside such a sequence with parameters, such as modifier keys.
    case longSequence
  }

  private var state = State.ordinary

  /// Returns the keys in the next bytes.
  mutating func keys(in bytes: some Sequence<UInt8>) -> [KeyPress] {
    var keys: [KeyPress] = []
    for byte in bytes {
      switch state {
      case .ordinary where byte == 0x1B: state = .escape
      case .ordinary where (0x20..<0x7F).contains(byte):
        keys.append(.character(Character(Unicode.Scalar(byte))))
      case .ordinary: break
      // ESC [ … and ESC O …: a key without a character.
      case .escape where byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O"): state = .sequence
      // Two escapes in a row: the second may begin a sequence.
      case .escape where byte == 0x1B: break
      // Alt plus a key.
      case .escape: state = .ordinary
      case .sequence where (0x40..<0x7F).contains(byte):
        state = .ordinary
        if let arrow = Self.arrow(byte) { keys.append(arrow) }
      case .longSequence where (0x40..<0x7F).contains(byte): state = .ordinary
      case .sequence, .longSequence: state = .longSequence
      }
    }
    return keys
  }

  /// Returns the arrow key of ESC [ A … ESC [ D.
  private static func arrow(_ byte: UInt8) -> KeyPress? {
    switch byte {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    default: nil
    }
  }
}

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

/// The effect of a key during a recording or a stream.
enum RecordKey: Equatable {
  case pause, mute, monitor, newFile, stop, help
  /// Starts or stops the track of the key with this number.
  case track(Int)

  /// Returns the meaning of a key, or nil.
  init?(_ key: KeyPress) {
    guard case .character(let key) = key else { return nil }
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
