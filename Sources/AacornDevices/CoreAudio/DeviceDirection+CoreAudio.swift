#if os(macOS) && canImport(AudioToolbox)
import CoreAudio

extension DeviceDirection {
  /// The scope of the device's properties for this direction.
  var scope: AudioObjectPropertyScope {
    switch self {
    case .capture: kAudioObjectPropertyScopeInput
    case .playback: kAudioObjectPropertyScopeOutput
    }
  }

  /// The property with the system's default device.
  var defaultDevice: AudioObjectPropertySelector {
    switch self {
    case .capture: kAudioHardwarePropertyDefaultInputDevice
    case .playback: kAudioHardwarePropertyDefaultOutputDevice
    }
  }
}
#endif
