import AacornCodec
import AacornRecording
import AacornStreaming

/// The momentary status of a stream, as shown by the line, the status page and the metrics.
struct StreamSnapshot: Sendable, Equatable {
  /// When it began, in nanoseconds since 1970; 0 before the first sample.
  var startWallTime: Int64 = 0
  var timing = StreamTiming(sampleRate: 0, samplesPerUnit: 1)
  /// That of outputs that have another one, by their kind.
  var otherTimings: [OutputStatus.Kind: StreamTiming] = [:]
  var channelCount = 0
  /// The bits per second of now, if they follow the network.
  var bitrate: Int?
  var sampleCount = 0
  /// Frames from the encoder.
  var frameCount = 0
  var gapCount = 0
  var lostSampleCount = 0
  var drift: Double?
  var levels: [LevelMeterDisplay.Reading] = []
  var clippedSampleCount = 0
  var loudness = RecordingLoudness()
  var device: String?
  var isDeviceLost = false
  /// Whether new samples have arrived recently.
  var isFlowing = false
  var isMuted = false
  var isStopping = false
  /// Listeners being waited for before the end.
  var lastListenerCount = 0
  var metadata = LiveMetadata()
  var outputs: [OutputStatus] = []

  /// Seconds of audio.
  var seconds: Double { timing.seconds(sampleCount) }

  /// The timing of the frames that an output counts.
  func timing(of output: OutputStatus) -> StreamTiming { otherTimings[output.kind] ?? timing }

  /// Whether somebody can hear it: audio arrives and at least one output works.
  var isHealthy: Bool {
    isFlowing && !isDeviceLost && outputs.contains { $0.state == .live }
  }

  /// Records that it is over: nothing arrives any more, and nothing flows out.
  mutating func end() {
    isFlowing = false
    for index in outputs.indices where !outputs[index].hasFailed { outputs[index].state = .stopped }
  }

  /// Whether no output is left.
  var haveAllFailed: Bool { outputs.haveAllFailed }
}
