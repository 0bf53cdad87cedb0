import AacornRecording
import AacornSystem

/// Why a file could not be processed.
typealias CommandFailure = AACFileError

extension AACFileError {
  /// The word for the kind in JSON.
  var word: String {
    switch kind {
    case .cannotRead: "cannot-read"
    case .cannotWrite: "cannot-write"
    case .exists: "exists"
    case .busy: "busy"
    case .badInput: "bad-input"
    case .unsupported: "unsupported"
    case .noThread: "no-thread"
    case .interrupted: "interrupted"
    }
  }

  /// The exit code if nothing else happened.
  var exitStatus: ExitStatus {
    switch kind {
    case .cannotRead: .cannotRead
    case .cannotWrite, .exists, .busy: .cannotWrite
    case .badInput, .unsupported, .noThread: .failed
    case .interrupted: .interrupted(by: signal ?? System.interruptSignal)
    }
  }
}
