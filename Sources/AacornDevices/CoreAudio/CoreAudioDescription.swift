#if canImport(AudioToolbox) && !os(watchOS)
/// A device as Core Audio tells of it, for either direction.
struct CoreAudioDescription: Sendable {
  var id: String
  var name: String
  var details = ""
  var channelCount = 0
  var sampleRate = 0
  var isDefault = false

  /// As one to capture from.
  var captureDevice: CaptureDevice {
    CaptureDevice(
      backend: .coreAudio, id: id, name: name, details: details, channelCount: channelCount,
      sampleRate: sampleRate, isDefault: isDefault)
  }

  /// As one to play on.
  var playbackDevice: PlaybackDevice {
    PlaybackDevice(
      backend: .coreAudio, id: id, name: name, details: details, channelCount: channelCount,
      sampleRate: sampleRate, isDefault: isDefault)
  }
}
#endif
