package import AacornContainers
import AacornSystem

/// The reason why an output could not continue.
public struct OutputError: Error, CustomStringConvertible, Equatable, Sendable {
  /// The kinds of errors that programs may need to distinguish.
  public enum Kind: String, Sendable {
    /// A file with that name exists.
    case exists
    /// Another program is writing the file with this name.
    case busy
    /// Written data was removed, replaced or truncated by another program.
    case lost
    /// The disk is full.
    case diskFull = "disk-full"
    /// The output could not be opened or written for another reason.
    case cannotWrite = "cannot-write"
    /// The program that read the output has closed it, or no program reads the output.
    case readerGone = "reader-gone"
    /// The output could not keep up with the audio.
    case tooSlow = "too-slow"
    /// The format does not support this audio.
    case unsupported
    /// A server cannot be reached, or does not accept the audio.
    case connection
  }

  /// A remedy, for programs with their own texts.
  public enum RecoveryAction: Sendable, CaseIterable {
    /// Replace the existing file, or choose another name.
    case replaceOrRename
    /// Choose another format.
    case otherFormat
    /// Choose M4A.
    case m4a
    /// Choose a lower bitrate, or M4A.
    case lowerBitrateOrM4A
    /// Choose another sampling rate, or M4A.
    case otherRateOrM4A
    /// Choose two channels.
    case twoChannels
    /// Make a compact copy of the file later.
    case copyCompactly
  }

  /// The kind of the error.
  public var kind: Kind
  /// The problem and the file; if ``recoveryAction`` is nil, also the recovery suggestion.
  public var problem: String
  /// The remedy, if a program can offer one.
  public var recoveryAction: RecoveryAction?
  /// Whether the disk was full before any audio was saved.
  package private(set) var hasSavedNothing = false

  /// Creates an error from complete messages.
  ///
  /// Control characters are escaped, because names of files may contain them, and messages are
  /// printed to terminals.
  public init(_ kind: Kind, _ problem: String, recoveryAction: RecoveryAction? = nil) {
    self.kind = kind
    self.problem = displayed(problem)
    self.recoveryAction = recoveryAction
  }

  /// The message, so that printing the error is useful.
  public var description: String { message }

  /// The problem, the file and the recovery suggestion, as a message.
  public var message: String { message(recoveryAction?.suggestion) }

  package func message(_ recoverySuggestion: String?) -> String {
    recoverySuggestion.map { "\(problem) \($0)" } ?? problem
  }

  /// Returns the error of an output with this `savedPosition`: with a full disk, the message states
  /// whether audio was saved.
  package func afterSaving(upTo savedPosition: Int?) -> OutputError {
    guard kind == .diskFull, savedPosition == 0 else { return self }
    var error = self
    error.hasSavedNothing = true
    error.problem = problem.replacing(Self.keptPart, with: ", so nothing was recorded.")
    return error
  }
}

extension OutputError.RecoveryAction {
  package var suggestion: String {
    switch self {
    case .replaceOrRename: "Allow it to be replaced, or choose another name."
    case .otherFormat: "Choose another format."
    case .m4a: "Choose M4A."
    case .lowerBitrateOrM4A: "Choose a lower bitrate, or M4A."
    case .otherRateOrM4A: "Choose another sampling rate, or M4A."
    case .twoChannels: "Choose two channels."
    case .copyCompactly: "Copy its frames to another file where there is room."
    }
  }
}

extension OutputError {
  private static let keptPart = ". The recorded part is kept and can be played."

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
        "The disk of “\(path)” is full\(Self.keptPart) Make room, or choose another disk.")
    case .fileTooLarge:
      self.init(
        .diskFull,
        "“\(path)” has reached the maximum file size (ulimit -f)\(Self.keptPart) Start new files earlier, "
          + "or raise the limit.")
    case .interrupted:
      self.init(
        .readerGone, "No program read “\(path)” before the recording was stopped.")
    case .brokenPipe:
      self.init(.readerGone, "The program that read \(path) closed it.")
    case .brokenLink, .noReader, .notFound:
      let (reason, advice) = AACFileError.explanation(of: error, isWriting: true)
      let verb = error == .noReader ? "write" : "create"
      self.init(.cannotWrite, "Cannot \(verb) “\(path)”: \(reason). \(advice.description)")
    case .accessDenied, .notPermitted, .readOnly:
      self.init(
        .cannotWrite,
        "Cannot create “\(path)”: \(error.text). Choose another folder.")
    default:
      self.init(.cannotWrite, "Cannot write “\(path)”: \(error.text). Choose another file.")
    }
  }
}

extension ContainerError {
  /// The limit that was exceeded, as the text after a colon.
  ///
  /// If `recoveryAction` is nil, the text includes the remedy.
  package var problem: String {
    switch self {
    case .frameTooLong(let count, let limit):
      "a frame of \(count) bytes is longer than the format allows (\(limit))."
    case .unsupportedSampleRate(let rate): "the format has no code for \(rate) Hz."
    case .unsupportedChannelConfiguration: "the format cannot carry these channels."
    case .unsupportedObjectType, .unsupportedFrameLength:
      "the format cannot carry this kind of AAC."
    case .tooManyFrames(let limit):
      "there are more than \(limit) frames. Split the audio into parts."
    case .tagsTooLong(let count, let limit):
      "the tags have \(count) bytes, more than \(limit). Choose a smaller cover."
    case .unrecognizedCoverImage:
      "the cover is neither JPEG nor PNG. Choose another picture."
    case .trimOutsideStream, .protectedRegionsMissing:
      "the encoder has an internal error. Please report this."
    }
  }

  /// The remedy, if a program can offer one.
  package var recoveryAction: OutputError.RecoveryAction? {
    switch self {
    case .frameTooLong: .lowerBitrateOrM4A
    case .unsupportedSampleRate: .otherRateOrM4A
    case .unsupportedChannelConfiguration: .twoChannels
    case .unsupportedObjectType, .unsupportedFrameLength: .m4a
    case .tooManyFrames, .tagsTooLong, .unrecognizedCoverImage, .trimOutsideStream,
      .protectedRegionsMissing:
      nil
    }
  }
}
