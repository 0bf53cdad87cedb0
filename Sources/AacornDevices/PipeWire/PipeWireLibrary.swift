#if os(Linux)
import CAacornPipeWire

/// PipeWire's client library, loaded at run time.
@safe
package struct PipeWireLibrary: @unchecked Sendable {
  // Unchecked because of the pointer: its target is constant.

  /// The library's functions, which stay loaded until the program ends; nil if they are missing.
  let functions: UnsafePointer<aacorn_pw_library>?

  /// Uses other functions, for tests.
  init(functions: UnsafePointer<aacorn_pw_library>?) {
    unsafe self.functions = functions
  }

  /// The library of the system.
  package static var system: PipeWireLibrary {
    unsafe PipeWireLibrary(functions: aacorn_pw_functions())
  }

  static let file = "libpipewire-0.3.so.0"
  static let debianPackage = "libpipewire-0.3-0"

  /// Loads the library, or throws the reason why it cannot be used.
  static func check(allowingOld: Bool) throws(DeviceError) {
    let result = aacorn_pw_load()
    var version: String?
    if let text = unsafe aacorn_pw_version() { version = unsafe String(cString: text) }
    try check(file: file, loadResult: result, version: version, allowingOld: allowingOld)
  }

  /// Throws the reason why another file cannot be used as the library.
  package static func check(file: String) throws(DeviceError) {
    unsafe try check(file: file, loadResult: aacorn_pw_try(file), version: nil, allowingOld: true)
  }

  /// Checks a library by the result of its loading and by its version.
  package static func check(
    file: String, loadResult: Int32, version: String?, allowingOld: Bool
  ) throws(DeviceError) {
    if loadResult == Int32(AACORN_PW_MISSING.rawValue) {
      throw .libraryMissing(library: file, package: debianPackage)
    }
    guard loadResult == Int32(AACORN_PW_LOADED.rawValue) else {
      throw .libraryUnsuitable(
        library: file, reason: "it does not have all functions of PipeWire 0.3.65")
    }
    guard let version, let number = PipeWireVersion(version) else {
      throw .libraryUnsuitable(library: file, reason: "it does not report its version")
    }
    if number < PipeWireSystem.oldestVersion {
      throw .libraryUnsuitable(
        library: file,
        reason: "it is version \(version); the oldest supported version is"
          + " \(PipeWireSystem.oldestVersion)")
    }
    if !allowingOld && number < PipeWireSystem.minimumVersion {
      throw .libraryUnsuitable(
        library: file,
        reason: "it is version \(version), and versions before \(PipeWireSystem.minimumVersion) are"
          + " used only if PipeWire is selected")
    }
  }
}
#endif
