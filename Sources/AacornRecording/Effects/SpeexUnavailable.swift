import AacornSystem

#if os(Linux)
import CAacornSpeexDSP
#endif

/// The reason why libspeexdsp, which removes noise and echoes, cannot be used.
struct SpeexUnavailable: Equatable, Sendable {
  /// The library's file.
  static let library = "libspeexdsp.so.1"
  /// Debian's package with the library.
  static let debianPackage = "libspeexdsp1"

  /// The error in the library; nil if it is not installed.
  let reason: String?

  #if os(Linux)
  /// Creates the reason from the result of loading the library.
  init(_ result: aacorn_speexdsp_loading, _ reason: String) {
    let isMissing =
      result == AACORN_SPEEXDSP_NO_LIBRARY && System.isMissing(Self.library, accordingTo: reason)
    self.reason = isMissing ? nil : reason
  }

  /// The reason why loading the system's library failed.
  static var ofSystem: SpeexUnavailable {
    unsafe SpeexUnavailable(aacorn_speexdsp_result(), String(cString: aacorn_speexdsp_reason()))
  }
  #endif

  /// Returns the problem as a message that begins with `consequence`.
  static func problem(
    _ consequence: String, library: String = SpeexUnavailable.library, reason: String?
  ) -> String {
    let explanation = reason.map { "cannot be used (\(displayed($0)))" } ?? "is not installed"
    return "\(consequence): the library \(library) \(explanation)."
  }

  /// Returns the message that names the Debian package of the library.
  static func installHint(debianPackage: String = SpeexUnavailable.debianPackage) -> String {
    "On Debian it is in the package \(debianPackage)."
  }
}
