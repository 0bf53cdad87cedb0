/// Measures a whole recording: loudness, peaks, clipping and silence.
///
///     var meter = AudioMeter(channelCount: 2, sampleRate: 48_000)
///     while let samples = source.next() { meter.process(samples.span) }
///     // meter.loudness.integrated, meter.truePeak, meter.silence.longest
///
/// The results depend neither on the division of the samples into blocks nor on the platform.
/// Memory does not grow with time, and nothing is allocated while the format stays the same.
public struct AudioMeter: Sendable {
  /// The number of channels.
  public private(set) var channelCount: Int
  /// Frames per second.
  public private(set) var sampleRate: Int
  /// The loudness measurements.
  public private(set) var loudness: LoudnessMeter
  /// The digital silence and the number of frames; a change of the rate converts both to the new
  /// rate.
  public private(set) var silence: SilenceMeter
  /// The peak magnitude of a sample; 1 is full scale.
  public private(set) var peak: Float = 0
  /// The number of clipped samples: in a channel, three or more in a row at or beyond full scale.
  public private(set) var clippedSampleCount: Int64 = 0
  /// The number of samples beyond full scale, which integer formats cannot store.
  public private(set) var excessSampleCount: Int64 = 0

  private var points: TruePeakMeter
  /// The true peak of earlier formats.
  private var formerTruePeak: Float = 0
  /// The number of consecutive full-scale samples of each channel.
  private var runLengths: [Int]

  /// Creates a meter without any samples.
  ///
  /// Values out of range are clamped: 1 to 64 channels, 1 Hz to 3.072 MHz.
  public init(channelCount: Int, sampleRate: Int, layout: ChannelLayout? = nil) {
    let (channelCount, sampleRate) = SampleLimits.nearest(channelCount, sampleRate)
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    loudness = LoudnessMeter(channelCount: channelCount, sampleRate: sampleRate, layout: layout)
    silence = SilenceMeter(channelCount: channelCount)
    points = TruePeakMeter(channelCount: channelCount)
    runLengths = [Int](repeating: 0, count: channelCount)
  }

  /// The peak magnitude at and between samples; 1 is full scale.
  public var truePeak: Float {
    let peak = points.peak
    return peak > formerTruePeak ? peak : formerTruePeak
  }

  /// Continues with samples of another format; all measurements are kept.
  public mutating func changeFormat(
    channelCount: Int, sampleRate: Int, layout: ChannelLayout? = nil
  ) {
    let (channelCount, sampleRate) = SampleLimits.nearest(channelCount, sampleRate)
    formerTruePeak = truePeak
    points = TruePeakMeter(channelCount: channelCount)
    silence.changeFormat(channelCount: channelCount, from: self.sampleRate, to: sampleRate)
    loudness.changeFormat(channelCount: channelCount, sampleRate: sampleRate, layout: layout)
    runLengths = [Int](repeating: 0, count: channelCount)
    self.channelCount = channelCount
    self.sampleRate = sampleRate
  }

  /// Measures whole frames; an incomplete frame at the end is ignored.
  public mutating func process(_ samples: Span<Float>) {
    let samples = samples.extracting(0..<samples.wholeCount(channelCount))
    loudness.process(samples)
    points.process(samples)
    silence.process(samples)
    for channel in 0..<channelCount { process(samples, channel) }
  }

  /// Measures the peak and counts clipped samples.
  private mutating func process(_ samples: Span<Float>, _ channel: Int) {
    var (peak, runLength) = (self.peak, runLengths[channel])
    var (clipped, excess): (Int64, Int64) = (0, 0)
    var index = channel
    while index < samples.count {
      let magnitude = samples[index].magnitude
      peak = magnitude > peak ? magnitude : peak
      if magnitude >= LevelMeter.fullScale {
        runLength += 1
        // The third sample marks the two before it as clipped as well.
        let limit = LevelMeter.clippedRunLength
        if runLength >= limit { clipped += runLength == limit ? Int64(limit) : 1 }
        if magnitude > 1 { excess += 1 }
      } else {
        runLength = 0
      }
      index += channelCount
    }
    self.peak = peak
    runLengths[channel] = runLength
    clippedSampleCount += clipped
    excessSampleCount += excess
  }
}
