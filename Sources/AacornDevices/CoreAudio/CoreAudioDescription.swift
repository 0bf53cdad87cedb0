#if canImport(AudioToolbox) && !os(watchOS)
/// A device as described by Core Audio, for either direction.
struct CoreAudioDescription: Sendable {
  var id: String
  var name: String
  var details = ""
  var channelCount = 0
  var sampleRate = 0
  var isDefault = false

  /// The description of a device for capture.
  var captureDevice: CaptureDevice {
    CaptureDevice(
      backend: .coreAudio, id: id, name: name, details: details, channelCount: channelCount,
      sampleRate: sampleRate, isDefault: isDefault)
  }

  /// The description of a device for playback.
  var playbackDevice: PlaybackDevice {
    PlaybackDevice(
      backend: .coreAudio, id: id, name: name, details: details, channelCount: channelCount,
      sampleRate: sampleRate, isDefault: isDefault)
  }
}
#endif
