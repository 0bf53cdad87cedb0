/// What is known about the audio in a file.
struct SoundFacts: Equatable, Sendable {
  /// Whether it is usable.
  enum Status: String, Sendable {
    /// Nothing needs to be done.
    case fine
    /// It can be repaired into a whole file.
    case damaged
    /// It contains no audio that this program can recover.
    case unreadable
    /// The process ended while it was working on the file, which has not been opened since.
    case quarantined
  }

  var status = Status.fine
  /// What is wrong, as a sentence.
  var problem: String?
  var seconds: Double?
  var sampleRate: Int?
  var channelCount: Int?
  /// Bits per second.
  var bitrate: Int?
  var gapCount = 0
  /// The file could not be read, but perhaps can later without a change.
  var isPassing = false

  /// Whether nothing is missing and nothing is wrong.
  var isWhole: Bool { status == .fine && problem == nil }

  /// The properties of a file in quarantine.
  static var quarantined: SoundFacts {
    var facts = SoundFacts()
    facts.status = .quarantined
    facts.problem =
      "The studio ended unexpectedly while it was working on this file, and has not opened it since. Try it again, or"
      + " delete it."
    return facts
  }

  /// The facts about a file without usable audio.
  static func unreadable(_ problem: String) -> SoundFacts {
    var facts = SoundFacts()
    facts.status = .unreadable
    facts.problem = problem
    return facts
  }
}
