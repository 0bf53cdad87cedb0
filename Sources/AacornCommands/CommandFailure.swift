import AacornContainers
import AacornDevices
import AacornPlayback
import AacornRecording
import AacornSystem

typealias CommandFailure = AACFileError

extension AACFileError {
  /// The keyword of the error in JSON.
  var keyword: String { kind.keyword }

  /// The exit status if this is the only error.
  var exitStatus: ExitStatus {
    switch kind {
    case .cannotRead: .cannotRead
    case .cannotWrite, .exists, .busy: .cannotWrite
    case .badInput, .unsupported, .noThread: .failed
    case .effects(let kind): kind.exitStatus
    case .interrupted: .interrupted(by: signal ?? System.interruptSignal)
    }
  }
}

extension AACFileError.Kind {
  var keyword: String {
    switch self {
    case .cannotRead: "cannot-read"
    case .cannotWrite: "cannot-write"
    case .exists: "exists"
    case .busy: "busy"
    case .badInput: "bad-input"
    case .unsupported: "unsupported"
    case .effects(let kind): kind.keyword
    case .noThread: "no-thread"
    case .interrupted: "interrupted"
    }
  }
}

// Keywords and exit statuses of effect errors, for all commands with effects.
extension EffectError.Kind {
  /// The keyword of the error in JSON.
  var keyword: String {
    switch self {
    case .invalidDescription: "bad-effect"
    case .missing: "missing-effect"
    }
  }

  /// The exit status if this is the only error.
  var exitStatus: ExitStatus {
    switch self {
    case .invalidDescription: .usage
    // A missing library is treated like a device that cannot be opened.
    case .missing: .cannotRead
    }
  }
}

extension AACFileError {
  /// The error and a recovery suggestion, with the command's options.
  var commandMessage: String { message(advising: recoverySuggestion.commandText) }

  /// The message for commands without options for format and audio.
  ///
  /// In these commands the suffix of the output selects the format, and the audio is not converted.
  var spliceMessage: String { message(advising: recoverySuggestion.spliceText) }

  /// The message for `aacorn play`, which has no options for the input format.
  var playMessage: String { message(advising: recoverySuggestion.playText) }

  /// Returns the error for an output that is also an input, where `option` names the output.
  static func isInput(_ output: String, option: String) -> AACFileError {
    .isInput(output, .text("Choose another name with \(option)."))
  }
}

extension AACFileError.RecoverySuggestion {
  /// The recovery suggestion with the command's options; empty if the problem needs none.
  fileprivate var commandText: String {
    switch self {
    case .none, .text, .passAsFile: description
    case .recoveryAction(let remedy): remedy.hint
    case .mixChannels(let count): "Mix them with --channels \(count)."
    case .chooseChannelCount(let counts): "Choose --channels \(Self.list(counts, "or"))."
    case .chooseRate(let rates): "Choose one with --rate: \(Self.list(rates))."
    case .chooseQuality(let range): "Choose --vbr \(range.lowerBound) to \(range.upperBound)."
    case .openFewerFiles: "Try a lower --jobs, or a higher limit (ulimit -n)."
    case .giveFormatOfSamples:
      "For raw samples, use --raw-format; for other formats, \(Self.encodingConversion)"
    case .giveMissingFormat: "Use --raw-format."
    case .makeReadable(let words): "\(Self.encodeFormats) \(words)"
    case .convert: "\(Self.encodeFormats) For other formats, \(Self.encodingConversion)"
    case .encode: "“aacorn encode” reads it."
    case .inspectAAC: "“aacorn inspect” reads \(Self.readableStreams)."
    case .decodeAAC: "“aacorn decode” reads \(Self.readableStreams)."
    case .decodeElsewhere: "Convert with ffmpeg: “ffmpeg -i FILE OUT.wav”."
    case .spliceAAC:
      "“aacorn cut” and “aacorn join” read \(Self.readableStreams). Encode other formats first."
    case .repair: "“aacorn repair” may find them."
    case .chooseLongFormat: "Choose --format wav or caf."
    }
  }

  /// The recovery suggestion for commands whose only choice is the output's name.
  fileprivate var spliceText: String {
    switch self {
    case .recoveryAction(.otherFormat): "Choose a name with another suffix."
    case .recoveryAction(.m4a), .recoveryAction(.lowerBitrateOrM4A),
      .recoveryAction(.otherRateOrM4A),
      .recoveryAction(.twoChannels):
      "Choose a name that ends in .m4a."
    case .openFewerFiles: description
    default: commandText
    }
  }

  /// The recovery suggestion for playback.
  fileprivate var playText: String {
    switch self {
    case .giveFormatOfSamples: "For other formats, \(Self.playbackConversion)"
    case .convert: "\(Self.playFormats) For other formats, \(Self.playbackConversion)"
    case .makeReadable(let words): "\(Self.playFormats) \(words)"
    case .giveMissingFormat, .openFewerFiles: description
    default: commandText
    }
  }

  /// The conversion of unsupported formats for encoding, as the end of a sentence.
  ///
  /// Through a pipe of WAV, the tags would be lost.
  private static let encodingConversion =
    "convert with ffmpeg, which keeps the tags: “ffmpeg -i FILE OUT.flac”."

  /// The conversion of unsupported formats for playback, as the end of a sentence.
  private static let playbackConversion =
    "convert with ffmpeg: “ffmpeg -i FILE -f wav - | aacorn play -”."

  /// The formats that `aacorn encode` reads, as text.
  static var encodeFormats: String { "“aacorn encode” reads \(readableSounds)." }

  /// The formats that `aacorn play` reads, as text; equal to the formats of `aacorn encode`.
  private static var playFormats: String { "“aacorn play” reads \(readableSounds)." }
}

// Recovery suggestions for errors of the libraries, which name the options of the command.

extension DeviceError {
  /// Returns the keyword of the error in JSON.
  func keyword(for direction: DeviceDirection) -> String {
    switch self {
    case .nothingUsable, .noDevice: "no-device"
    case .noServer: "no-server"
    case .unknownDevice, .ambiguousDevice: "unknown-device"
    case .permissionDenied: "not-permitted"
    case .noVoiceProcessing: "no-voice-processing"
    case .damagedFile: "bad-input"
    case .libraryMissing, .libraryUnsuitable, .notPreferred, .backendUnavailable: "no-backend"
    case .deviceBusy, .cannotInterrupt, .alreadyRunning, .unsupportedFormat, .unreadableFile,
      .system:
      direction == .capture ? "cannot-capture" : "cannot-play"
    }
  }

  /// Returns the error and a recovery suggestion, for users of the command.
  func commandMessage(for direction: DeviceDirection) -> String {
    let list =
      switch direction {
      case .capture: "aacorn devices"
      case .playback: "aacorn devices --outputs"
      }
    return switch self {
    case .noServer: message("Start it, or choose another --backend.")
    case .unknownDevice: message("See “\(list)”.")
    case .noVoiceProcessing: message("Record without --voice.")
    case .nothingUsable(.capture, _, let device):
      message(
        "record a test signal with --device tone"
          + (device == nil ? "" : " (“\(list)” lists the devices)"))
    case .nothingUsable(.playback, _, _): message(nil) + outputsHint
    case .backendUnavailable: message("Choose another --backend.")
    case .libraryUnsuitable: message("Update it, or select a sound system with --backend.")
    case .notPreferred(let backend, _, _): message("To use it, add --backend \(backend.rawValue).")
    case .libraryMissing, .noDevice, .ambiguousDevice, .deviceBusy, .cannotInterrupt,
      .alreadyRunning, .permissionDenied, .unsupportedFormat, .unreadableFile, .damagedFile,
      .system:
      message
    }
  }

  /// The error and a recovery suggestion for `aacorn play`, which can play without a device.
  var playMessage: String {
    let silently = "use --device null to play without sound"
    return switch self {
    case .noServer: message("Start it, choose another --backend, or \(silently).")
    case .noDevice: message("Connect loudspeakers or headphones, or \(silently).")
    case .nothingUsable: message(silently) + outputsHint
    default: commandMessage(for: .playback)
    }
  }

  /// The reference to the list of outputs, after an error about a named device.
  private var outputsHint: String {
    guard case .nothingUsable(_, _, .some) = self else { return "" }
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
    case .capture(let error): error.commandMessage(for: .capture)
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
    case .copyCompactly: "“aacorn cut FILE -o OUT.m4a” makes a compact copy, also on another disk."
    }
  }
}

extension MonitorEvent {
  /// The event as a message for users of the command; nil if it needs none.
  var commandMessage: String? { message { $0.commandMessage(for: .playback) } }
}

extension RecorderEvent {
  /// Returns the event as a message for users of the command, if it is reported during the
  /// recording.
  func commandMessage(sampleRate: Int) -> (text: String, weight: Weight)? {
    message(
      sampleRate: sampleRate, deviceMessage: { $0.commandMessage(for: $1) },
      outputMessage: { $0.commandMessage })
  }
}

extension Credentials.Key {
  /// The suggestion for a server whose address does not contain the secret.
  var hint: String { "Set \(variable), or use --credentials." }
}

// Failures for single inputs, and work on several inputs.
extension Console {
  /// Prints the failure for an input, human-readable or as JSON; `message` replaces the failure's
  /// message unless it is nil.
  func print(
    _ failure: CommandFailure, input: String, output: String?, message: String? = nil,
    asJSON: Bool
  ) {
    let message = message ?? failure.commandMessage
    if !asJSON { return printError(message) }
    print(
      [
        "input": .text(input), "output": .optional(output), "status": .text("error"),
        "error": .text(failure.keyword), "message": .text(message),
      ])
  }

  /// Processes inputs one after another, prints their failures, and returns the exit status.
  func process(
    _ inputs: [String], output: String? = nil, asJSON: Bool,
    _ work: (String) throws(CommandFailure) -> ExitStatus
  ) -> ExitStatus {
    var statuses: [ExitStatus] = []
    for input in inputs {
      do throws(CommandFailure) {
        statuses.append(try work(input))
      } catch {
        if case .interrupted = error.kind { return error.exitStatus }
        print(error, input: input, output: output, asJSON: asJSON)
        statuses.append(error.exitStatus)
      }
    }
    let failed = statuses.filter { $0 != .success }
    return failed.count < statuses.count && !failed.isEmpty ? .failed : .combining(failed)
  }
}
