#if os(Linux)
import CAacornALSA

/// Which way the samples go.
enum ALSADirection: Sendable {
  case capture
  case playback

  /// The library's number.
  var number: UInt32 {
    switch self {
    case .capture: UInt32(AACORN_ALSA_STREAM_CAPTURE)
    case .playback: UInt32(AACORN_ALSA_STREAM_PLAYBACK)
    }
  }

  /// What the library's hints call the devices that have only the other direction.
  var nameOfOther: String {
    switch self {
    case .capture: "Output"
    case .playback: "Input"
    }
  }
}
#endif
