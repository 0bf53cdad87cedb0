import AacornSignal

/// The loudness and the true peak of a recording (EBU R 128).
public struct RecordingLoudness: Sendable, Equatable {
  /// The loudness of the last 400 ms in LUFS; nil for silence, and for less than 400 ms of audio.
  public var momentary: Float?
  /// The loudness of the last 3 s in LUFS; nil for silence, and for less than 3 s of audio.
  public var shortTerm: Float?
  /// The loudness of the complete recording in LUFS; nil as for `momentary`.
  public var integrated: Float?
  /// The loudness range of the complete recording in LU; nil as for `shortTerm`.
  public var range: Float?
  /// The maximum true peak in dBTP, including values between samples; −∞ for silence.
  public var truePeak = -Float.infinity

  /// Creates the loudness of an empty recording.
  public init() {}

  /// The loudness to display: of the last 3 s or, for less audio, of the last 400 ms.
  package var current: Float? { shortTerm ?? momentary }
}

/// Measures the loudness of the recorded audio.
struct LoudnessStage {
  private var meter: LoudnessMeter
  private var truePeakMeter: TruePeakMeter
  /// The number of frames between readings, and the remaining frames until the next one.
  private let interval: Int
  private var remainingFrameCount: Int
  /// The last reading, at most a tenth of a second old.
  private(set) var reading = RecordingLoudness()

  /// Creates a stage for interleaved samples in the default speaker layout.
  init(channelCount: Int, sampleRate: Int) {
    meter = LoudnessMeter(
      channelCount: channelCount, sampleRate: sampleRate,
      layout: ChannelLayout.standard(channelCount: channelCount))
    truePeakMeter = TruePeakMeter(channelCount: channelCount)
    interval = max(1, sampleRate / 10)
    remainingFrameCount = interval
  }

  /// Measures complete frames.
  mutating func process(_ samples: Span<Float>) {
    meter.process(samples)
    truePeakMeter.process(samples)
    remainingFrameCount -= samples.count / meter.channelCount
    if remainingFrameCount > 0 { return }
    remainingFrameCount = interval
    reading = total
  }

  /// The readings up to the last sample.
  var total: RecordingLoudness {
    var loudness = RecordingLoudness()
    loudness.momentary = meter.momentary
    loudness.shortTerm = meter.shortTerm
    loudness.integrated = meter.integrated
    loudness.range = meter.range
    loudness.truePeak = Decibels.of(amplitude: truePeakMeter.peak)
    return loudness
  }
}
