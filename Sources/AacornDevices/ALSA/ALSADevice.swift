#if os(Linux)
/// A device as described by ALSA, for either direction.
struct ALSADevice: Sendable {
  var id: String
  var name: String
  var details = ""
  var channelCount = 0
  var sampleRate = 0
  var isDefault = false

  /// The description of a device for capture.
  var captureDevice: CaptureDevice {
    CaptureDevice(
      backend: .alsa, id: id, name: name, details: details, channelCount: channelCount,
      sampleRate: sampleRate, isDefault: isDefault)
  }

  /// The description of a device for playback.
  var playbackDevice: PlaybackDevice {
    PlaybackDevice(
      backend: .alsa, id: id, name: name, details: details, channelCount: channelCount,
      sampleRate: sampleRate, isDefault: isDefault)
  }
}
#endif
