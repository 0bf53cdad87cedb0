#if os(Linux)
import AacornSystem
import CAacornALSA

/// alsa-lib, loaded on first use.
@safe
struct ALSALibrary: @unchecked Sendable {
  // Unchecked because of the pointer: its target is constant.

  /// The library's functions, which stay loaded until the program ends.
  let functions: UnsafePointer<aacorn_alsa_functions>

  /// Uses other functions, for tests.
  init(functions: UnsafePointer<aacorn_alsa_functions>) {
    unsafe self.functions = functions
  }

  /// Loads the library, or throws the reason why it cannot be loaded.
  init() throws(DeviceError) {
    guard let functions = unsafe aacorn_alsa() else { throw Self.loadingError }
    unsafe self.functions = functions
  }

  private static var loadingError: DeviceError {
    let file = "libasound.so.2"
    let reason = unsafe Self.text(aacorn_alsa_loading_reason())
    return aacorn_alsa_loading() == AACORN_ALSA_NO_LIBRARY
      && System.isMissing(file, accordingTo: reason)
      ? .libraryMissing(library: file, package: "libasound2")
      : .libraryUnsuitable(library: file, reason: reason)
  }

  /// Converts a library error; `code` is the negative result.
  func error(_ code: Int32, in operation: String, of id: String) -> DeviceError {
    switch aacorn_alsa_cause_of(Int(code)) {
    case AACORN_ALSA_ABSENT: .unknownDevice(id: id, backend: .alsa)
    case AACORN_ALSA_BUSY: .deviceBusy(id: id)
    case AACORN_ALSA_FORBIDDEN: .permissionDenied(id: id)
    default: .system(operation: operation, id: id, reason: message(for: code))
    }
  }

  /// Returns a text from the library; "" if the pointer is nil.
  static func text(_ start: UnsafePointer<CChar>?) -> String {
    guard let start = unsafe start else { return "" }
    return unsafe String(cString: start)
  }

  /// Returns the library's message for an error code.
  func message(for code: Int32) -> String {
    let message = unsafe Self.text(functions.pointee.strerror(code))
    let libraryMessage = unsafe Self.text(aacorn_alsa_complaint())
      .split(whereSeparator: \.isNewline).joined(separator: " ")
    return libraryMessage.isEmpty ? message : "\(message); \(libraryMessage)"
  }

  /// Opens a device; fails immediately if it is in use.
  func open(
    _ id: String, for direction: DeviceDirection
  ) throws(DeviceError) -> OpaquePointer {
    try ALSAName.check(id)
    aacorn_alsa_forget_complaint()
    var pcm: OpaquePointer?
    let code = unsafe functions.pointee.pcm_open(
      &pcm, id, direction.number, Int32(AACORN_ALSA_NONBLOCK))
    guard code >= 0, let pcm = unsafe pcm else { throw error(code, in: "open", of: id) }
    return unsafe pcm
  }

  /// The numbers of the sound cards present.
  var cards: [Int32] {
    var cards: [Int32] = []
    var card: Int32 = -1
    while unsafe functions.pointee.card_next(&card) >= 0, card >= 0 { cards.append(card) }
    return cards
  }

  /// Makes the library reread its configuration, parts of which come with the cards.
  func discardConfiguration() {
    _ = unsafe functions.pointee.config_update_free_global()
  }
}
#endif
