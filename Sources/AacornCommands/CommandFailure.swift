import AacornRecording
import AacornSystem

/// Why a file could not be processed.
typealias CommandFailure = AACFileError

extension AACFileError {
  /// The word for the kind in JSON.
  var word: String { kind.word }

  /// The exit code if nothing else happened.
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
  /// The word for it in JSON.
  var word: String {
    switch self {
    case .cannotRead: "cannot-read"
    case .cannotWrite: "cannot-write"
    case .exists: "exists"
    case .busy: "busy"
    case .badInput: "bad-input"
    case .unsupported: "unsupported"
    case .effects(let kind): kind.word
    case .noThread: "no-thread"
    case .interrupted: "interrupted"
    }
  }
}

// The same in every command that sends sound through effects.
extension EffectError.Kind {
  /// The word for the kind in JSON.
  var word: String {
    switch self {
    case .mistake: "bad-effect"
    case .missing: "missing-effect"
    }
  }

  /// The exit code if nothing else happened.
  var exitStatus: ExitStatus {
    switch self {
    case .mistake: .usage
    // What an effect needs is like a device that cannot be opened.
    case .missing: .cannotRead
    }
  }
}
