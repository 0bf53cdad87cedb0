import AacornSystem

/// Why a file could not be processed, as a sentence and as a word for programs.
struct CommandFailure: Error, Equatable {
  /// The kinds of failure that scripts may want to distinguish.
  enum Kind: Equatable {
    /// The input does not exist or may not be read.
    case cannotRead
    /// The output could not be written.
    case cannotWrite
    /// A file with the output's name already exists.
    case exists
    /// Another of our programs is writing the file with the output's name.
    case busy
    /// The input can be read but is invalid.
    case badInput
    /// The input is valid, but this encoder or setting does not support it.
    case unsupported
    /// A signal requested the end.
    case interrupted(Int32)
  }

  let kind: Kind
  /// What happened, to which file, and what to do.
  let sentence: String

  init(_ kind: Kind, _ sentence: String) {
    self.kind = kind
    self.sentence = sentence
  }

  init(_ interrupted: Interrupted) {
    self.init(.interrupted(interrupted.signal), "Interrupted.")
  }

  /// The word for the kind in JSON.
  var word: String {
    switch kind {
    case .cannotRead: "cannot-read"
    case .cannotWrite: "cannot-write"
    case .exists: "exists"
    case .busy: "busy"
    case .badInput: "bad-input"
    case .unsupported: "unsupported"
    case .interrupted: "interrupted"
    }
  }

  /// The exit code if nothing else happened.
  var exitStatus: ExitStatus {
    switch kind {
    case .cannotRead: .cannotRead
    case .cannotWrite, .exists, .busy: .cannotWrite
    case .badInput, .unsupported: .failed
    case .interrupted(let signal): .interrupted(by: signal)
    }
  }
}

extension CommandFailure {
  /// What was being done with a file when the system returned an error.
  enum Action {
    case open, read, list, create, write, finish, makeFolder

    fileprivate var words: String {
      switch self {
      case .open, .read: "read"
      case .list: "list the folder"
      case .create, .finish: "create"
      case .write: "write"
      case .makeFolder: "make the folder"
      }
    }

    fileprivate var kind: Kind {
      switch self {
      case .open, .read, .list: .cannotRead
      case .create, .write, .finish, .makeFolder: .cannotWrite
      }
    }
  }

  /// The failure for a system error.
  init(_ action: Action, _ path: String, _ error: SystemError) {
    let isWriting = action.kind == .cannotWrite
    // A reader that went away is not an error; it ends the work quietly.
    if isWriting && error == .brokenPipe {
      self.init(.interrupted(System.pipeSignal), "The reader of the output went away.")
      return
    }
    let (reason, advice) = Self.explanation(of: error, isWriting: isWriting, action)
    self.init(
      action.kind, "Cannot \(action.words) “\(displayed(path))”: \(reason). \(advice)")
  }

  private static func explanation(
    of error: SystemError, isWriting: Bool, _ action: Action
  ) -> (reason: String, advice: String) {
    switch error {
    case .notFound where isWriting:
      ("its folder does not exist", "Make the folder first, or choose another.")
    case .notFound:
      ("there is no such file or folder", "Check the name.")
    case .accessDenied where isWriting, .notPermitted where isWriting:
      ("permission denied", "Choose another folder.")
    case .accessDenied, .notPermitted:
      ("permission denied", "Check who may read it (ls -l).")
    case .diskFull, .quotaReached:
      ("the disk is full", "Make room or choose another disk.")
    case .fileTooLarge:
      (
        "it has reached the size that files may have here (ulimit -f)",
        "Raise the limit, or choose another disk or a lower bitrate."
      )
    case .readOnly:
      ("the disk is read-only", "Choose another folder.")
    case .isFolder:
      ("it is a folder", "Name a file.")
    case .notFolder:
      ("a part of its path is a file, not a folder", "Check the path.")
    case .nameTooLong:
      ("its name is too long", "Choose a shorter one.")
    case .brokenLink:
      (
        "it is a symbolic link to something that is not there",
        "Remove it, or choose another name."
      )
    case .tooManyLinks:
      ("its symbolic links lead in a circle", "Check the links.")
    case .tooManyFiles:
      ("too many files are open", "Try a lower --jobs, or a higher limit (ulimit -n).")
    case .device:
      ("the device reports an error", "Check the disk and its cable.")
    default:
      (error.text, "Try again, or choose another file.")
    }
  }
}
