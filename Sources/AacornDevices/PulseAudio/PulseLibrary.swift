#if os(Linux)
import CAacornPulseAudio

/// libpulse, loaded at run time.
@safe
struct PulseLibrary: @unchecked Sendable {
  // Unchecked because of the pointer: its target never changes after it is published.

  /// The library's functions.
  let functions: UnsafePointer<aacorn_pulse_functions>

  /// Uses other functions, for tests.
  init(functions: UnsafePointer<aacorn_pulse_functions>) {
    unsafe self.functions = functions
  }

  /// Returns the library; the first call loads it.
  static func load() throws(DeviceError) -> PulseLibrary {
    if let functions = unsafe aacorn_pulse_get_functions() {
      return unsafe PulseLibrary(functions: functions)
    }
    let name = "libpulse.so.0"
    let failure = unsafe String(cString: aacorn_pulse_load_failure())
    if aacorn_pulse_load() == AACORN_PULSE_LIBRARY_MISSING {
      throw .libraryMissing(library: name, package: "libpulse0")
    }
    throw .libraryUnsuitable(library: name, reason: "it has no function pa_\(failure)")
  }

  /// Returns the library's message for one of its error numbers, in the system's language.
  func errorText(_ error: Int32) -> String {
    guard let words = unsafe functions.pointee.strerror(error) else { return "error \(error)" }
    return unsafe String(cString: words).lowercased()
  }

  /// Returns a copy of a C string from the library, or an empty string if `start` is nil.
  static func text(_ start: UnsafePointer<CChar>?) -> String {
    guard let start = unsafe start else { return "" }
    return unsafe String(cString: start)
  }
}
#endif
