import AacornCodec
import AacornRecording
import AacornStreaming

/// A snapshot of the state of a recording or a stream, for the bottom line, the status page and the
/// metrics.
struct LiveSnapshot: Sendable, Equatable {
  /// The start in nanoseconds since 1970; 0 before the first sample.
  var startWallTime: Int64 = 0
  var timing = StreamTiming(sampleRate: 0, samplesPerUnit: 1)
  /// The timings of outputs with another rendition, by their kind.
  var otherTimings: [OutputStatus.Kind: StreamTiming] = [:]
  var channelCount = 0
  /// The current bitrate in bits per second, if it adapts to the network.
  var bitrate: Int?
  /// The number of encoded frames.
  var frameCount = 0
  /// The status of the audio.
  var sound = RecordingStatus()
  var levels: [LevelMeterDisplay.Reading] = []
  /// Whether samples have arrived recently.
  var isFlowing = false
  var isStopping = false
  /// The number of listeners that the program waits for before it exits.
  var lastListenerCount = 0
  var metadata = LiveMetadata()
  var outputs: [OutputStatus] = []

  /// The duration of the audio in seconds.
  var seconds: Double { timing.seconds(sound.sampleCount) }

  /// Returns the timing of an output's frames.
  func timing(of output: OutputStatus) -> StreamTiming { otherTimings[output.kind] ?? timing }

  /// Whether the stream is live: audio arrives, and at least one output works.
  var isHealthy: Bool {
    isFlowing && !sound.isDeviceLost && outputs.contains { $0.state == .live }
  }

  /// Marks the stream as ended: no audio arrives, and all outputs are stopped or failed.
  mutating func end() {
    isFlowing = false
    for index in outputs.indices where !outputs[index].hasFailed { outputs[index].state = .stopped }
  }

  /// Whether all outputs have failed.
  var haveAllFailed: Bool { outputs.haveAllFailed }
}
