/// The source of the audio to encode.
package enum SoundOrigin: Equatable, Sendable {
  /// The file at a path.
  case file(String)
  /// Standard input.
  case standardInput
  /// The built-in tone, with its duration.
  case tone(milliseconds: Int)

  package var name: String {
    switch self {
    case .file(let path): path
    case .standardInput: "standard input"
    case .tone: "tone"
    }
  }
}
