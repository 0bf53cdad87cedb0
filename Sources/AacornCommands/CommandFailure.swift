import AacornRecording
import AacornSystem

/// An error in the processing of a file.
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
  /// The keyword in JSON.
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
    // A missing plugin or library is treated like a device that cannot be opened.
    case .missing: .cannotRead
    }
  }
}
