#if os(Linux)
/// The requested settings of a device.
struct ALSAParameters: Sendable {
  var direction: DeviceDirection
  /// Frames per second; nil means the device's own rate.
  var sampleRate: Int?
  /// Samples per frame; nil means the device's own channel count.
  var channelCount: Int?
  /// Whether the requested rate and channel count are required.
  var isExact: Bool
  /// The duration of the frames that are moved at a time.
  var block: Duration
  /// The duration of the device's buffer.
  var buffer: Duration

  /// Creates the settings for a capture.
  ///
  /// A short block keeps the latency low; a long buffer tolerates a late program.
  init(_ request: CaptureRequest) {
    direction = .capture
    sampleRate = request.sampleRate
    channelCount = request.channelCount
    isExact = false
    block = min(max(request.blockDuration, .milliseconds(2)), .milliseconds(100))
    buffer = max(block * 8, .milliseconds(250))
  }

  /// Creates the settings for a playback, where the full buffer determines the latency.
  init(_ request: PlaybackRequest, _ format: PlaybackFormat) {
    direction = .playback
    sampleRate = format.sampleRate
    channelCount = format.channelCount
    isExact = true
    buffer = min(max(request.latency, .milliseconds(4)), .seconds(2))
    block = min(buffer / 4, .milliseconds(100))
  }
}
#endif
