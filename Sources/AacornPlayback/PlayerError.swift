public import AacornDevices
public import AacornRecording

/// The reason why a playback could not start, or ended early.
public enum PlayerError: Error, CustomStringConvertible, Equatable, Sendable {
  /// The audio cannot be played on the device.
  case playback(DeviceError)
  /// One of the effects cannot be created.
  case effects(EffectError)
  /// None of the items can be read. The value is the error of the last one.
  case nothingReadable(AACFileError)
  /// The list of items is empty.
  case noItems
  /// The system has no threads left.
  case noThread
  /// The player was already started. A player plays once.
  case alreadyStarted
  /// The player was stopped before its device was open.
  case stopped

  /// The description of the error, so that printing it shows useful text.
  public var description: String { message }

  /// A description of the error, with a recovery suggestion.
  public var message: String {
    switch self {
    case .playback(let error): error.message
    case .effects(let error): error.message
    case .nothingReadable(let error): error.message
    case .noItems: "There is nothing to play. Name a file."
    case .noThread: "The system has no threads left. Close other programs."
    case .alreadyStarted: "A player can be started only once. Create a new player."
    case .stopped: "The playback was stopped before its device was open."
    }
  }
}
