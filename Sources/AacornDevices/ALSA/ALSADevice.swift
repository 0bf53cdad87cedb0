#if os(Linux)
/// A device as ALSA tells of it, for either direction.
struct ALSADevice: Sendable {
  var id: String
  var name: String
  var details = ""
  var channelCount = 0
  var sampleRate = 0
  var isDefault = false

  /// As one to capture from.
  var captureDevice: CaptureDevice {
    CaptureDevice(
      backend: .alsa, id: id, name: name, details: details, channelCount: channelCount,
      sampleRate: sampleRate, isDefault: isDefault)
  }

  /// As one to play on.
  var playbackDevice: PlaybackDevice {
    PlaybackDevice(
      backend: .alsa, id: id, name: name, details: details, channelCount: channelCount,
      sampleRate: sampleRate, isDefault: isDefault)
  }
}
#endif
