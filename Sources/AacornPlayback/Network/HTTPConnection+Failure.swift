import AacornRecording
import AacornSystem

extension HTTPConnection {
  /// Returns the error for a server that cannot be read from.
  static func failure(
    _ place: String, _ reason: String, _ advice: String = "Check the address and the network."
  ) -> AACFileError {
    AACFileError(
      .cannotRead, "Cannot read from the server \(displayed(place)): \(displayed(reason)).",
      .words(advice))
  }
}
