import AacornSystem

extension OutputError {
  init(_ error: SystemError, writing path: String) {
    switch error {
    case .exists:
      self.init(
        .exists, "“\(path)” already exists and was left alone.", recoveryAction: .replaceOrRename)
    case .wouldBlock:
      let owner = System.lockOwner(of: path) ?? "another recording"
      self.init(
        .busy,
        "“\(path)” is being written by \(owner), and was left alone. Stop that program first, "
          + "or choose another name.")
    case .diskFull where path == "standard output":
      self.init(.diskFull, "Standard output could not be written to: its disk is full.")
    case .diskFull, .quotaReached:
      self.init(
        .diskFull,
        "The disk of “\(path)” is full. The recorded part is kept and can be played. Make room, or "
          + "choose another disk.")
    case .fileTooLarge:
      self.init(
        .diskFull,
        "“\(path)” has reached the maximum file size (ulimit -f). The recorded part is kept and can "
          + "be played. Start new files earlier, or raise the limit.")
    case .brokenLink:
      self.init(
        .cannotWrite,
        "Cannot create “\(path)”: it is a symbolic link whose target does not exist. Remove it, or "
          + "choose another name.")
    case .interrupted:
      self.init(
        .readerGone, "No program read “\(path)” before the recording was stopped.")
    case .noReader:
      self.init(
        .cannotWrite, "Cannot write “\(path)”: no program reads this pipe. Start its reader first.")
    case .brokenPipe:
      self.init(.readerGone, "The program that read \(path) closed it.")
    case .notFound:
      self.init(
        .cannotWrite,
        "Cannot create “\(path)”: its folder does not exist. Create the folder first, or choose "
          + "another."
      )
    case .accessDenied, .notPermitted, .readOnly:
      self.init(
        .cannotWrite,
        "Cannot create “\(path)”: \(error.text). Choose another folder.")
    default:
      self.init(.cannotWrite, "Cannot write “\(path)”: \(error.text). Choose another file.")
    }
  }
}
