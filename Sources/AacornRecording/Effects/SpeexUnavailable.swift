import AacornSystem

#if os(Linux)
import CAacornSpeexDSP
#endif

/// The reason why libspeexdsp, which removes noise and echoes, cannot be used.
struct SpeexUnavailable: Error, Equatable {
  /// The library's file.
  static let library = "libspeexdsp.so.1"
  /// Debian's package with the library.
  static let debianPackage = "libspeexdsp1"

  /// The error in the library; nil if it is not installed.
  let reason: String?

  #if os(Linux)
  /// Creates the reason from the fault of loading the library.
  init(_ fault: LibraryFault) {
    reason = System.isMissing(Self.library, accordingTo: fault.text) ? nil : fault.text
  }

  /// The functions of the system's library, or the reason why it cannot be used.
  nonisolated(unsafe) static let functions:
    Result<UnsafeMutablePointer<aacorn_speexdsp_functions>, SpeexUnavailable> =
      unsafe System.loadLibrary(library, symbols: aacorn_speexdsp_symbols())
      .mapError { SpeexUnavailable($0) }
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
