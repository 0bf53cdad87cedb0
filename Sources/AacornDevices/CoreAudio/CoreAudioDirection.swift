#if os(macOS) && canImport(AudioToolbox)
import CoreAudio

/// Which way the samples go.
enum CoreAudioDirection: Sendable {
  case capture
  case playback

  /// Where a device has what concerns this direction.
  var scope: AudioObjectPropertyScope {
    switch self {
    case .capture: kAudioObjectPropertyScopeInput
    case .playback: kAudioObjectPropertyScopeOutput
    }
  }

  /// The system's choice of a device.
  var defaultDevice: AudioObjectPropertySelector {
    switch self {
    case .capture: kAudioHardwarePropertyDefaultInputDevice
    case .playback: kAudioHardwarePropertyDefaultOutputDevice
    }
  }
}
#endif
