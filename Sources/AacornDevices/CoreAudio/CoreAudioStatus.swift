/// The result of a Core Audio call (`OSStatus`), with its meaning as text.
///
/// Most codes are four letters in one number, such as `'fmt?'`; others are small negative numbers.
struct CoreAudioStatus: Error, Equatable {
  /// The number; 0 means success.
  let code: Int32

  init(_ code: Int32) {
    self.code = code
  }

  /// Whether the call succeeded.
  var isSuccess: Bool { code == 0 }

  /// The code in Apple's notation: four letters in quotes if it consists of letters, otherwise a
  /// number.
  var text: String {
    let bits = UInt32(bitPattern: code)
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: bits >> $0) }
    guard bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return "\(code)" }
    return "'" + String(decoding: bytes, as: UTF8.self) + "'"
  }

  /// The meaning of the code, for codes that can occur here.
  private var meaning: String? {
    switch text {
    case "-50": "a parameter is wrong"
    case "-10851": "a value is not accepted"
    case "-10863": "not possible right now"
    case "-10868", "'fmt?'", "'!dat'": "the format is not supported"
    case "-10874": "too many frames at once"
    case "-10875": "the unit could not be set up"
    case "-10879", "'who?'": "the property does not exist"
    case "-66681": "the unit cannot start"
    case "'!dev'", "'!obj'", "'!str'": "the device was disconnected"
    case "'!rec'": "recording is not possible now, perhaps because the app is in the background"
    case "'!pla'": "playing is not possible now"
    case "'nope'": "the operation is not possible"
    case "'stop'": "the device is not running"
    case "'what'": "unspecified error"
    case "'msrv'": "the system's audio service has failed"
    case "'siri'": "Siri is using the microphone"
    default: nil
    }
  }

  /// Returns the error for a failed `operation` on the device with this id.
  func error(_ operation: String, _ id: String) -> DeviceError {
    switch text {
    case "'!hog'": .deviceBusy(id: id)
    // An app that mixes interrupts no other app. But audio with a higher priority, such as a call,
    // excludes even mixing.
    case "'!int'": .cannotInterrupt(canMix: true)
    case "'!pri'": .cannotInterrupt(canMix: false)
    case "'!dev'", "'!obj'": .unknownDevice(id: id, backend: .coreAudio)
    default:
      .system(
        operation: operation, id: id, reason: meaning.map { "\($0), \(text)" } ?? "status \(text)")
    }
  }

  /// Throws if the call failed.
  func check(_ operation: String, _ id: String) throws(DeviceError) {
    if !isSuccess { throw error(operation, id) }
  }
}
