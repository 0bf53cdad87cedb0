import AacornDevices
import AacornNetwork
import AacornRecording
import AacornSystem

/// The reason why the studio rejects a request: a human-readable message, and an HTTP status for
/// programs.
struct StudioError: Error, Equatable {
  let status: Int
  let message: String
  /// The field of the form with the error, for display beside it; nil if the error is not about a
  /// field.
  let field: String?

  /// The name of the field with the effects.
  static let effects = "effects"

  init(_ status: Int, _ message: String, field: String? = nil) {
    self.status = status
    self.message = message
    self.field = field
  }

  /// The error for requests while the studio is shutting down.
  static let shuttingDown = StudioError(503, "The studio is shutting down. Start it again.")

  /// The error for a path that does not exist.
  static let nothingHere = StudioError(404, "There is nothing here.")

  /// A request with invalid settings.
  static func impossible(_ message: String) -> StudioError { StudioError(400, message) }

  /// Creates the rejection of effects that do not exist or cannot be created.
  init(_ error: EffectError) { self.init(400, error.message, field: Self.effects) }

  /// Creates the rejection of a capture that is impossible as requested (400) or at present (503).
  init(_ error: DeviceError) {
    let isImpossible =
      switch error {
      case .unknownDevice, .unsupportedFormat, .noVoiceProcessing, .backendUnavailable: true
      default: false
      }
    self.init(isImpossible ? 400 : 503, error.pageMessage)
  }

  /// Creates the error for a recording into the file `name`, or for monitoring, that did not start.
  init(_ error: RecordingError, file name: String? = nil) {
    let message = error.pageMessage(file: name)
    switch error {
    case .capture(let error): self.init(error)
    case .effects(let error): self.init(error)
    case .encoder, .backEnd, .unsupportedConversion, .mixedCodings, .noSuchChannel, .tracks:
      self.init(400, message)
    case .output(let output), .allOutputsFailed(let output):
      self.init(output.kind == .diskFull ? 507 : 503, message)
    case .noThread, .alreadyStarted, .stopped: self.init(503, message)
    }
  }
}

// Errors of the library.
extension StudioError {
  /// Returns the error for a recording in quarantine.
  static func quarantined(_ name: RecordingName) -> StudioError {
    StudioError(
      409,
      "“\(displayed(name.text))” is in quarantine: the studio ended unexpectedly while it was working on it. Try it"
        + " again in the library first.")
  }

  /// Creates the error for a system error at a file or folder.
  ///
  /// A message is, for example: “Cannot rename “talk.m4a”: permission denied. Check the permissions
  /// of the file and its folder.”
  init(cannot action: String, _ name: String, _ error: SystemError) {
    let (status, reason, advice) = Self.explanation(of: error)
    self.init(status, "Cannot \(action) “\(displayed(name))”: \(reason). \(advice)")
  }

  private static func explanation(
    of error: SystemError
  ) -> (status: Int, reason: String, advice: String) {
    switch error {
    case .notFound: (404, "it no longer exists", "Reload the list.")
    case .accessDenied, .notPermitted:
      (403, "permission denied", "Check the permissions of the file and its folder.")
    case .readOnly: (403, "the disk is read-only", "Start the studio with another folder.")
    case .exists: (409, "something with that name already exists", "Choose another name.")
    case .diskFull, .quotaReached:
      (507, "the disk is full", "Make room on it: erase deleted recordings, or remove other files.")
    case .fileTooLarge:
      (507, "it has reached the maximum file size", "Start a new file.")
    case .notFolder:
      (500, "it is a file, not a folder", "Start the studio with another folder.")
    case .isFolder: (404, "it is a folder", "Reload the list.")
    case .nameTooLong: (400, "its name is too long", "Choose a shorter one.")
    case .tooManyLinks: (404, "it is a link, and links are not followed", "Name a file.")
    case .tooManyFiles: (503, "too many files are open", "Try again in a moment.")
    case .device: (500, "the device reports an error", "Check the disk and its cable.")
    default: (500, error.text, "Try again.")
    }
  }

  /// Returns the error for a recording that does not exist.
  static func noRecording(_ name: String) -> StudioError {
    StudioError(
      404,
      "There is no recording “\(displayed(name))” in the library. It may have been renamed"
        + " or deleted. Reload the list.")
  }
}

// The studio's messages for errors of the libraries, where a page offers another remedy, uses other
// terms or must not reveal details. All other errors use the messages of the libraries.

extension DeviceError {
  /// The error and its remedy, for a user of the page.
  var pageMessage: String {
    switch self {
    // The studio itself chooses a system, so the message suggests no other one.
    case .noServer: message("Start it.")
    case .unknownDevice, .backendUnavailable: message("Choose a device from the list.")
    default: message
    }
  }
}

extension OutputError {
  /// Returns the error and its remedy, for a user of the page, where files are known by their names
  /// in the studio's folder.
  func pageMessage(_ name: String) -> String {
    switch kind {
    case .diskFull where hasSavedNothing:
      "The disk of “\(name)” is full, so nothing was recorded. Make room on the disk."
    case .diskFull:
      "The disk of “\(name)” is full. The recording until then is kept and can be played. "
        + "Make room on the disk."
    case .busy: "“\(name)” is being written by another program. Choose another name."
    case .exists: "“\(name)” already exists and was left alone. Choose another name."
    case .cannotWrite:
      "“\(name)” cannot be written to the studio's folder. Check the folder, its permissions and "
        + "its disk."
    // The reason may contain text from the server, and was reported when the connection gave up.
    case .connection: "“\(displayed(name))” cannot continue: there is no connection to its server."
    case .lost, .readerGone, .tooSlow, .unsupported: message
    }
  }
}

extension NetworkError {
  /// The error of an output, without text from the server.
  ///
  /// A user who may record can make the studio connect to any address that it can reach, including
  /// this machine and its network, since Icecast servers are there. Pages must not show a response
  /// from such an address: it may come from a private service that trusts connections from this
  /// machine.
  var pageMessage: String {
    switch kind {
    case .unreachable:
      "The server cannot be reached. Check the address and the port, and whether it is running."
    case .timeout:
      "The server did not answer, or accepted nothing, for too long. Check whether it is running,"
        + " and the network."
    case .closed:
      "The server closed the connection. Check whether it is running, and check the address and the"
        + " password or key in it."
    case .certificate:
      "The server's certificate is not trusted. Check its name, and the clock of this machine."
    case .unauthorized: "The server does not accept the name, the password or the stream key."
    case .forbidden: "The server does not allow this. Ask the server's administrator."
    case .taken:
      "Another client is publishing there, or the server has not yet detected the end of the"
        + " previous connection. Wait, or choose another mount or stream key."
    case .notFound: "The server has no such mount, application or folder. Check the address."
    case .malformed, .unsupported:
      "The server does not support this stream. Check whether this is the address and the"
        + " port of a streaming server."
    case .libraryMissing: message
    case .serverFault:
      "The server has an internal error or is overloaded. See its log, or ask its "
        + "administrator."
    }
  }
}

extension RecordingError {
  /// Returns the error and its remedy, for a user of the page, with the name of the recorded file,
  /// if any.
  func pageMessage(file name: String?) -> String {
    switch self {
    case .capture(let error): error.pageMessage
    case .output(let error), .allOutputsFailed(let error):
      error.pageMessage(name ?? "the recording")
    case .encoder, .backEnd, .unsupportedConversion, .mixedCodings, .noSuchChannel, .noThread,
      .alreadyStarted, .stopped, .tracks, .effects:
      message
    }
  }
}
