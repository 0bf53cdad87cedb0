package import AacornSystem

extension AACFileError {
  /// The operation on a file in which the system returned an error.
  package enum Action {
    case open, read, list, create, write, finish, makeFolder

    fileprivate var description: String {
      switch self {
      case .open, .read: "read"
      case .list: "list the folder"
      case .create, .finish: "create"
      case .write: "write"
      case .makeFolder: "create the folder"
      }
    }

    fileprivate var kind: Kind {
      switch self {
      case .open, .read, .list: .cannotRead
      case .create, .write, .finish, .makeFolder: .cannotWrite
      }
    }
  }

  package init(_ interrupted: Interrupted) {
    self.init(signal: interrupted.signal)
  }

  package init(_ action: Action, _ path: String, because error: SystemError) {
    let isWriting = action.kind == .cannotWrite
    // If the reader of a pipe closes it, the work ends as after a signal, without an error.
    if isWriting && error == .brokenPipe {
      self.init(signal: System.pipeSignal, "The program that read the output closed it.")
      return
    }
    var (reason, advice) = Self.explanation(of: error, isWriting: isWriting)
    if isWriting, error == .notFound, !path.hasSuffix("/"),
      (try? System.status(of: FileName.folder(path)))?.kind == .folder
    {
      // Such as in /proc.
      (reason, advice) = ("its folder accepts no new files", .text("Choose another folder."))
    }
    self.init(
      action.kind, "Cannot \(action.description) “\(displayed(path))”: \(reason).",
      suggestion: advice)
    systemError = error
  }

  /// Returns the reason of an error as a clause.
  package static func reason(of error: SystemError) -> String {
    explanation(of: error, isWriting: false).reason
  }

  /// Returns the reason of an error as a clause, and the remedy.
  static func explanation(
    of error: SystemError, isWriting: Bool
  ) -> (reason: String, advice: RecoverySuggestion) {
    switch error {
    case .notFound where isWriting:
      ("its folder does not exist", .text("Create the folder first, or choose another."))
    case .notFound:
      ("no such file or folder", .text("Check the name."))
    case .accessDenied where isWriting, .notPermitted where isWriting:
      ("permission denied", .text("Choose another folder."))
    case .accessDenied, .notPermitted:
      ("permission denied", .text("Check its permissions (ls -l)."))
    case .diskFull, .quotaReached:
      ("the disk is full", .text("Make room or choose another disk."))
    case .fileTooLarge:
      (
        "it has reached the maximum file size (ulimit -f)",
        .text("Raise the limit, or choose another disk or a lower bitrate.")
      )
    case .readOnly:
      ("the disk is read-only", .text("Choose another folder."))
    case .isFolder:
      ("it is a folder", .text("Name a file."))
    case .notFolder:
      ("a part of its path is a file, not a folder", .text("Check the path."))
    case .nameTooLong:
      ("its name is too long", .text("Choose a shorter one."))
    case .brokenLink:
      (
        "it is a symbolic link whose target does not exist",
        .text("Remove it, or choose another name.")
      )
    case .tooManyLinks:
      ("its symbolic links form a loop", .text("Check the links."))
    case .tooManyFiles:
      ("too many files are open", .openFewerFiles)
    case .noReader:
      ("no program reads this pipe", .text("Start its reader first."))
    case .device:
      ("the device reports an error", .text("Check the disk and its cable."))
    default:
      (error.text, .text("Try again, or choose another file."))
    }
  }

  package init(creating path: String, _ error: SystemError) {
    switch error {
    case .exists:
      // If the file itself does not exist, an old list of gaps with its name does, and would be
      // mistaken for the list of the new file.
      let isLedger = (try? System.statusOfLink(path)) == nil
      let taken = isLedger ? GapSidecar.path(of: path) : path
      self.init(
        .exists, "“\(displayed(taken))” already exists and was left alone.",
        suggestion: .recoveryAction(.replaceOrRename))
    case .wouldBlock:
      let owner = System.lockOwner(of: path) ?? "another program"
      self.init(
        .busy, "“\(displayed(path))” is being written by \(owner), and was left alone.",
        suggestion: .text("Stop that program first, or choose another name."))
    default: self.init(.create, path, because: error)
    }
    systemError = error
  }

  /// Creates the error for a complete file whose name may not be on disk yet.
  init(nameNotFlushedOf path: String, _ error: SystemError) {
    let (reason, advice) = Self.explanation(of: error, isWriting: true)
    self.init(
      .cannotWrite,
      "“\(displayed(path))” is complete and in place, but its folder could not be flushed to the disk: "
        + "\(reason). A power failure may delete the file.", suggestion: advice)
    systemError = error
  }
}
