import AacornRecording
import AacornSystem

extension HTTPConnection {
  /// Returns the error for a server that cannot be read from.
  static func failure(
    _ authority: String, _ reason: String,
    _ recoverySuggestion: String = "Check the address and the network."
  ) -> AACFileError {
    AACFileError(
      .cannotRead, "Cannot read from the server \(displayed(authority)): \(displayed(reason)).",
      .text(recoverySuggestion))
  }
}
