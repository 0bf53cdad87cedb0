import AacornSystem

#if os(Linux)
import CAacornSpeexDSP
#endif

/// Why libspeexdsp, which takes out noise and echoes, cannot be used.
struct SpeexLack: Equatable, Sendable {
  /// The library's file.
  static let library = "libspeexdsp.so.1"
  /// Debian's package with the library.
  static let debianPackage = "libspeexdsp1"

  /// What is wrong with the library; nil if it is not installed.
  let reason: String?

  #if os(Linux)
  /// What came of loading it, and why.
  init(_ result: aacorn_speexdsp_loading, _ reason: String) {
    let isMissing =
      result == AACORN_SPEEXDSP_NO_LIBRARY && System.isMissing(Self.library, accordingTo: reason)
    self.reason = isMissing ? nil : reason
  }

  /// What came of loading the system's library, which has failed.
  static var ofSystem: SpeexLack {
    unsafe SpeexLack(aacorn_speexdsp_result(), String(cString: aacorn_speexdsp_reason()))
  }
  #endif

  /// What cannot be done, and why, as a sentence; `consequence` is its beginning.
  static func problem(
    _ consequence: String, library: String = SpeexLack.library, reason: String?
  ) -> String {
    let lack = reason.map { "cannot be used (\(displayed($0)))" } ?? "is not installed"
    return "\(consequence): the library \(library) \(lack)."
  }

  /// Where the library is to be had, as a sentence.
  static func advice(debianPackage: String = SpeexLack.debianPackage) -> String {
    "On Debian it is in the package \(debianPackage)."
  }
}
