#if os(Linux)
import CAacornALSA

extension DeviceDirection {
  /// The library's number for the direction.
  var number: UInt32 {
    switch self {
    case .capture: UInt32(AACORN_ALSA_STREAM_CAPTURE)
    case .playback: UInt32(AACORN_ALSA_STREAM_PLAYBACK)
    }
  }

  /// The text by which the library's hints mark a device that has only the other direction.
  var oppositeHint: String {
    switch self {
    case .capture: "Output"
    case .playback: "Input"
    }
  }
}
#endif
