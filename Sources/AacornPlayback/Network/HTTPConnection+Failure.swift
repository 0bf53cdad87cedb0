import AacornRecording
import AacornSystem

extension HTTPConnection {
  /// Returns the error for a server that cannot be read from.
  static func failure(
    _ place: String, _ reason: String, _ advice: String = "Check the address and the network."
  ) -> AACFileError {
    AACFileError(
      .cannotRead, "The server \(displayed(place)) cannot be read from: \(displayed(reason)).",
      .words(advice))
  }
}
