#if os(Linux)
import CAacornPulseAudio

/// The reasons why a request to the server failed.
enum PulseFailure: Error, Equatable {
  /// The server rejected the request, for the reason with this number.
  case refused(Int32)
  /// The server did not respond in time.
  case noAnswer
  /// The connection ended.
  case disconnected
  /// The program requested the end during the wait.
  case ended

  /// The requested object does not exist on the server.
  static let unknown = PulseFailure.refused(
    Int32(bitPattern: AACORN_PULSE_ERROR_NO_ENTITY.rawValue))

  /// Converts the failure to a `DeviceError`.
  func deviceError(_ operation: String, _ id: String, _ library: PulseLibrary) -> DeviceError {
    switch self {
    case .refused(let number):
      switch aacorn_pulse_error(rawValue: UInt32(bitPattern: number)) {
      case AACORN_PULSE_ERROR_NO_ENTITY: .unknownDevice(id: id, backend: .pulseAudio)
      case AACORN_PULSE_ERROR_ACCESS: .permissionDenied(id: id)
      case AACORN_PULSE_ERROR_BUSY: .deviceBusy(id: id)
      case AACORN_PULSE_ERROR_INVALID: .unsupportedFormat(id: id, reason: library.errorText(number))
      default: .system(operation: operation, id: id, reason: library.errorText(number))
      }
    case .noAnswer: .noServer(backend: .pulseAudio, reason: "it does not respond")
    case .disconnected: .noServer(backend: .pulseAudio, reason: "it closed the connection")
    case .ended: .system(operation: operation, id: id, reason: "the operation was canceled")
    }
  }
}
#endif
