/// The known properties of the audio in a file.
struct SoundFacts: Equatable, Sendable {
  /// Whether a file is usable.
  enum Status: String, Sendable {
    /// The file is intact.
    case fine
    /// The file can be repaired.
    case damaged
    /// The file contains no audio that this program can recover.
    case unreadable
    /// The studio crashed while it was working on the file, and has not opened the file since.
    case quarantined
  }

  var status = Status.fine
  /// The description of the problem, as a sentence.
  var problem: String?
  var seconds: Double?
  var sampleRate: Int?
  var channelCount: Int?
  /// Bits per second.
  var bitrate: Int?
  var gapCount = 0
  /// Whether the error may be temporary, so that a later attempt can succeed without a change of
  /// the file.
  var mayBeTemporary = false

  /// Whether the file is complete and has no problem.
  var isComplete: Bool { status == .fine && problem == nil }

  /// The properties of a file in quarantine.
  static var quarantined: SoundFacts {
    var facts = SoundFacts()
    facts.status = .quarantined
    facts.problem =
      "The studio ended unexpectedly while it was working on this file, and has not opened it since. Try it again, or"
      + " delete it."
    return facts
  }

  /// Returns the properties of a file without usable audio.
  static func unreadable(_ problem: String) -> SoundFacts {
    var facts = SoundFacts()
    facts.status = .unreadable
    facts.problem = problem
    return facts
  }
}
