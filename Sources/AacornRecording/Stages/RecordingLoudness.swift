import AacornSignal

/// How loud a recording is, as people hear it (EBU R 128).
public struct RecordingLoudness: Sendable, Equatable {
  /// The loudness of the last 400 ms in LUFS; nil if they are silence or not over.
  public var momentary: Float?
  /// The loudness of the last 3 s in LUFS; nil if they are silence or not over.
  public var shortTerm: Float?
  /// The loudness of all so far in LUFS; nil as for `momentary`.
  public var integrated: Float?
  /// The loudness range of all so far in LU; nil as for `shortTerm`.
  public var range: Float?
  /// The greatest magnitude so far, between the samples too, in dBTP; −∞ for silence.
  public var truePeak = -Float.infinity

  /// That of a recording that has not begun.
  public init() {}

  /// The reading for a glance: that of the last 3 s or, before these are over, of the last 400 ms.
  package var current: Float? { shortTerm ?? momentary }
}

/// Measures the loudness of what is recorded.
struct LoudnessStage {
  private var meter: LoudnessMeter
  private var points: TruePeakMeter
  /// Frames after which what is read is determined anew, and how many of them are missing.
  private let interval: Int
  private var rest: Int
  /// The readings of the last tenth of a second.
  private(set) var reading = RecordingLoudness()

  /// A stage for interleaved samples with the usual loudspeakers.
  init(channelCount: Int, sampleRate: Int) {
    meter = LoudnessMeter(
      channelCount: channelCount, sampleRate: sampleRate,
      layout: ChannelLayout.standard(channelCount: channelCount))
    points = TruePeakMeter(channelCount: channelCount)
    interval = max(1, sampleRate / 10)
    rest = interval
  }

  /// Measures whole frames.
  mutating func process(_ samples: Span<Float>) {
    meter.process(samples)
    points.process(samples)
    rest -= samples.count / meter.channelCount
    if rest > 0 { return }
    rest = interval
    reading = total
  }

  /// The readings to the last sample.
  var total: RecordingLoudness {
    var loudness = RecordingLoudness()
    loudness.momentary = meter.momentary
    loudness.shortTerm = meter.shortTerm
    loudness.integrated = meter.integrated
    loudness.range = meter.range
    loudness.truePeak = Decibels.of(amplitude: points.peak)
    return loudness
  }
}
