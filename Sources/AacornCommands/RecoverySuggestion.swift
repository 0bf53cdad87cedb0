import AacornContainers
import AacornDevices
import AacornPlayback
import AacornRecording

// Recovery suggestions for errors of the libraries, which name the options of the command.

extension CaptureError {
  /// The error and a recovery suggestion, for users of the command.
  var commandMessage: String {
    switch self {
    case .noServer: message("Start it, or choose another --backend.")
    case .unknownDevice: message("See “aacorn devices”.")
    case .noVoiceProcessing: message("Record without --voice.")
    case .nothingUsable: message(nothingUsableHint)
    case .backendUnavailable: message("Choose another --backend.")
    case .libraryUnsuitable: message("Update it, or select a sound system with --backend.")
    case .libraryMissing, .noDevice, .ambiguousDevice, .deviceBusy,
      .cannotInterrupt, .alreadyRunning, .permissionDenied, .unsupportedFormat, .unreadableFile,
      .damagedFile,
      .system:
      message
    }
  }

  /// A suggestion for a system without a microphone, as a clause.
  private var nothingUsableHint: String {
    let builtIn = "record a test signal with --device tone"
    guard case .nothingUsable(_, .some) = self else { return builtIn }
    return builtIn + " (“aacorn devices” lists the devices)"
  }
}

extension PlaybackError {
  /// The error and a recovery suggestion, for users of the command.
  var commandMessage: String {
    switch self {
    case .noServer: message("Start it, or choose another --backend.")
    case .unknownDevice: message("See “aacorn devices --outputs”.")
    case .backendUnavailable: message("Choose another --backend.")
    case .libraryUnsuitable: message("Update it, or select a sound system with --backend.")
    case .libraryMissing, .noDevice, .ambiguousDevice, .deviceBusy,
      .cannotInterrupt, .alreadyRunning, .permissionDenied, .unsupportedFormat, .system:
      message
    case .nothingUsable: message(nil) + nothingUsableHint
    }
  }

  /// The error and a recovery suggestion for `aacorn play`, which can play without a device.
  var playMessage: String {
    let silently = "use --device null to play without sound"
    return switch self {
    case .noServer: message("Start it, choose another --backend, or \(silently).")
    case .noDevice: message("Connect loudspeakers or headphones, or \(silently).")
    case .nothingUsable: message(silently) + nothingUsableHint
    default: commandMessage
    }
  }

  /// The reference to the list of devices, after an error about a named device.
  private var nothingUsableHint: String {
    guard case .nothingUsable(_, .some) = self else { return "" }
    return " “aacorn devices --outputs” lists the outputs."
  }
}

extension PlayerError {
  /// The error and a recovery suggestion, for users of the command.
  var commandMessage: String {
    switch self {
    case .playback(let error): error.playMessage
    case .nothingReadable(let error): error.playMessage
    case .effects, .noItems, .noThread, .alreadyStarted, .stopped: message
    }
  }
}

extension RecordingError {
  /// The error and a recovery suggestion, for users of the command.
  var commandMessage: String {
    switch self {
    case .capture(let error): error.commandMessage
    case .output(let error), .allOutputsFailed(let error): error.commandMessage
    case .unsupportedConversion: message("Choose another --rate or --channels.")
    case .noSuchChannel: message("Choose other channels with --channel-map.")
    case .encoder, .backEnd, .mixedCodings, .noThread, .alreadyStarted, .stopped, .tracks, .effects:
      message
    }
  }
}

extension OutputError {
  /// The error, the file and a recovery suggestion, for users of the command.
  var commandMessage: String { message(recoveryAction?.hint) }
}

extension OutputError.RecoveryAction {
  /// The recovery suggestion.
  var hint: String {
    switch self {
    case .replaceOrRename: "Use --force to replace it, or choose another name."
    case .otherFormat: "Choose another --format."
    case .m4a: "Choose a name that ends in .m4a, and omit --format."
    case .lowerBitrateOrM4A:
      "Choose a lower bitrate, or a name that ends in .m4a without --format."
    case .otherRateOrM4A: "Choose another --rate, or a name that ends in .m4a without --format."
    case .twoChannels: "Choose --channels 2."
    }
  }
}

extension MonitorEvent {
  /// The event as a message for users of the command; nil if it needs none.
  var commandMessage: String? { message(errorMessage: { $0.commandMessage }) }
}

extension RecorderEvent {
  /// Returns the event as a message for users of the command, if it is reported during the
  /// recording.
  func commandMessage(sampleRate: Int) -> (text: String, weight: Weight)? {
    message(
      sampleRate: sampleRate, captureMessage: { $0.commandMessage },
      outputMessage: { $0.commandMessage },
      playbackMessage: { $0.commandMessage })
  }
}

extension Credentials.Key {
  /// The suggestion for a server whose address does not contain the secret.
  var hint: String { "Set \(variable), or use --credentials." }
}
