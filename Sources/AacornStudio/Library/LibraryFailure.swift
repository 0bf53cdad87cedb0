import AacornNetwork
import AacornRecording
import AacornSystem

/// The reason why the library rejects a request: a human-readable message, and an HTTP status for
/// programs.
struct LibraryFailure: Error, Equatable {
  let status: Int
  let message: String

  init(_ status: Int, _ message: String) {
    self.status = status
    self.message = message
  }

  /// The response that reports this failure.
  var response: HTTPResponse { StudioResponse.failure(message, status: status) }
}

extension LibraryFailure {
  /// Returns the failure for a recording in quarantine.
  static func quarantined(_ name: RecordingName) -> LibraryFailure {
    LibraryFailure(
      409,
      "“\(displayed(name.text))” is in quarantine: the studio ended unexpectedly while it was working on it. Try it"
        + " again in the library first.")
  }

  /// Creates the failure for a system error at a file or folder.
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

  /// The failure for requests while the studio is shutting down.
  static let shuttingDown = LibraryFailure(503, "The studio is shutting down. Start it again.")

  /// Returns the failure for a recording that does not exist.
  static func noRecording(_ name: String) -> LibraryFailure {
    LibraryFailure(
      404,
      "There is no recording “\(displayed(name))” in the library. It may have been renamed"
        + " or deleted. Reload the list.")
  }
}

/// Builders of the library's responses.
enum LibraryResponse {
  /// Returns a JSON response.
  static func json(_ value: JSONValue, status: Int = 200) -> HTTPResponse {
    StudioResponse.json(value.encoded, status: status)
  }

  /// Returns the response to a method that the path does not support (RFC 9110 15.5.6).
  static func methodNotAllowed(_ allowed: [String]) -> HTTPResponse {
    var response = LibraryFailure(405, "This method is not allowed here.").response
    response.headers.append(HTTPField("Allow", allowed.joined(separator: ", ")))
    return response
  }
}
