#if os(Linux)
/// What a device should be set up for.
struct ALSAWish: Sendable {
  var direction: ALSADirection
  /// Frames per second; nil means the device's own.
  var sampleRate: Int?
  /// Samples per frame; nil means the device's own.
  var channelCount: Int?
  /// Whether nothing but that rate and that number of channels will do.
  var isExact: Bool
  /// How long the frames last that are moved at a time.
  var block: Duration
  /// How long the frames last for which the device has room.
  var buffer: Duration

  /// The wish of a capture.
  ///
  /// A few frames at a time keep the delay low; a long buffer forgives a program that is late.
  init(_ request: CaptureRequest) {
    direction = .capture
    sampleRate = request.sampleRate
    channelCount = request.channelCount
    isExact = false
    block = min(max(request.blockDuration, .milliseconds(2)), .milliseconds(100))
    buffer = max(block * 8, .milliseconds(250))
  }

  /// The wish of a playback, whose buffer is full of what is still to be heard.
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
