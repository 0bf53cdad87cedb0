import AacornContainers
import AacornDevices
import AacornPlayback
import AacornRecording

// The recovery suggestions for errors of the libraries, in terms of the command's options. The
// libraries
// do not know the options.

extension CaptureError {
  /// The error and a recovery suggestion, for users of the command.
  var commandSentence: String {
    switch self {
    case .noServer: sentence("Start it, or choose another --backend.")
    case .unknownDevice: sentence("See “aacorn devices”.")
    case .noVoiceProcessing: sentence("Record without --voice.")
    case .nothingUsable: sentence(nothingUsableAdvice)
    case .backendUnavailable: sentence("Choose another --backend.")
    case .libraryMissing, .libraryUnsuitable, .noDevice, .ambiguousDevice, .deviceBusy,
      .cannotInterrupt, .alreadyRunning, .permissionDenied, .unsupportedFormat, .unreadableFile,
      .damagedFile,
      .system:
      sentence
    }
  }

  /// A suggestion for a system without a microphone, as a clause.
  private var nothingUsableAdvice: String {
    let builtIn = "record a test signal with --device tone"
    guard case .nothingUsable(_, .some) = self else { return builtIn }
    return builtIn + " (“aacorn devices” lists the devices)"
  }
}

extension PlaybackError {
  /// The error and a recovery suggestion, for users of the command.
  var commandSentence: String {
    switch self {
    case .noServer: sentence("Start it, or choose another --backend.")
    case .unknownDevice: sentence("See “aacorn devices --outputs”.")
    case .backendUnavailable: sentence("Choose another --backend.")
    case .libraryMissing, .libraryUnsuitable, .noDevice, .ambiguousDevice, .deviceBusy,
      .cannotInterrupt, .alreadyRunning, .permissionDenied, .unsupportedFormat, .system:
      sentence
    case .nothingUsable(_, let device):
      device == nil ? sentence : sentence + " “aacorn devices --outputs” lists the outputs."
    }
  }
}

extension PlayerError {
  /// The error and a recovery suggestion, for users of the command.
  var commandSentence: String {
    switch self {
    case .playback(let error): error.commandSentence
    case .nothingReadable(let error): error.playSentence
    case .effects, .noItems, .noThread, .alreadyStarted, .stopped: sentence
    }
  }
}

extension RecordingError {
  /// The error and a recovery suggestion, for users of the command.
  var commandSentence: String {
    switch self {
    case .capture(let error): error.commandSentence
    case .output(let error), .allOutputsFailed(let error): error.commandSentence
    case .unsupportedConversion: sentence("Choose another --rate or --channels.")
    case .noSuchChannel: sentence("Choose other channels with --channel-map.")
    case .encoder, .backEnd, .mixedCodings, .noThread, .alreadyStarted, .stopped, .tracks, .effects:
      sentence
    }
  }
}

extension OutputError {
  /// The error, the file and a recovery suggestion, for users of the command.
  var commandSentence: String { sentence(remedy?.advice) }
}

extension OutputError.Remedy {
  /// The recovery suggestion.
  var advice: String {
    switch self {
    case .replaceOrRename: "Use --force to replace it, or choose another name."
    case .otherFormat: "Choose another --format."
    case .m4a: "Choose --format m4a."
    case .lowerBitrateOrM4A: "Choose a lower bitrate, or --format m4a."
    case .otherRateOrM4A: "Choose another --rate, or --format m4a."
    case .twoChannels: "Choose --channels 2."
    }
  }
}

extension MonitorEvent {
  /// The event as a message for users of the command; nil if it needs none.
  var commandSentence: String? { sentence(refusal: { $0.commandSentence }) }
}

extension RecorderEvent {
  /// Returns the event as a message for users of the command, if it is reported during the
  /// recording.
  func commandSentence(sampleRate: Int) -> (text: String, weight: Weight)? {
    sentence(
      sampleRate: sampleRate, refusal: { $0.commandSentence }, loss: { $0.commandSentence },
      silence: { $0.commandSentence })
  }
}

extension Credentials.Key {
  /// The suggestion for a server whose address does not contain the secret.
  var advice: String { "Set \(variable), or use --credentials." }
}
