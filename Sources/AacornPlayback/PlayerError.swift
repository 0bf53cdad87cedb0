public import AacornDevices
public import AacornRecording

/// Why nothing is played, or not to the end.
public enum PlayerError: Error, Equatable, Sendable {
  /// The sound cannot be played on the device.
  case playback(PlaybackError)
  /// One of the effects cannot be made.
  case effects(EffectError)
  /// None of the items can be read; with the reason of the last one.
  case nothingReadable(AACFileError)
  /// There is nothing to play.
  case noItems
  /// The system has no threads left.
  case noThread
  /// The player has been started before; a player plays once.
  case alreadyStarted
  /// It was stopped before its device was open.
  case stopped
}

extension PlayerError {
  /// What happened and what to do, in sentences.
  public var sentence: String {
    switch self {
    case .playback(let error): error.sentence
    case .effects(let error): error.sentence
    case .nothingReadable(let error): error.sentence
    case .noItems: "There is nothing to play. Name a file."
    case .noThread: "The system has no threads left. Close other programs."
    case .alreadyStarted: "A player can be started only once. Make a new one."
    case .stopped: "The playback was stopped before its device was open."
    }
  }
}

extension PlayerError: CustomStringConvertible {
  /// The sentence, so that printing the error shows something useful.
  public var description: String { sentence }
}
