/// What is known about the sound in a file.
struct SoundFacts: Equatable, Sendable {
  /// Whether it can be used.
  enum Status: String, Sendable {
    /// There is nothing to be done.
    case fine
    /// A whole file can be made of it.
    case damaged
    /// There is no sound that this program can bring out.
    case unreadable
  }

  var status = Status.fine
  /// What is wrong, in a sentence.
  var problem: String?
  var seconds: Double?
  var sampleRate: Int?
  var channelCount: Int?
  /// Bits a second.
  var bitrate: Int?
  var gapCount = 0
  /// The file could not be read, which may be otherwise later though the file is the same.
  var isPassing = false

  /// Whether nothing is missing and nothing is wrong.
  var isWhole: Bool { status == .fine && problem == nil }

  /// What is known about a file without usable sound.
  static func unreadable(_ problem: String) -> SoundFacts {
    var facts = SoundFacts()
    facts.status = .unreadable
    facts.problem = problem
    return facts
  }
}
