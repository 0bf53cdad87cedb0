/// Measures a whole sound: loudness, peaks, clipping and silence.
///
///     var meter = SoundMeter(channelCount: 2, sampleRate: 48_000)
///     while let samples = source.next() { meter.process(samples.span) }
///     // meter.loudness.integrated, meter.truePeak, meter.silence.longest
///
/// The results depend neither on how the samples were cut into blocks nor on the platform. Memory
/// does not grow with time, and nothing is allocated while the format stays the same.
public struct SoundMeter: Sendable {
  /// The number of channels.
  public private(set) var channelCount: Int
  /// Frames per second.
  public private(set) var sampleRate: Int
  /// The loudness.
  public private(set) var loudness: LoudnessMeter
  /// Digital silence, and the frames so far; after a change of the rate in frames of the new one.
  public private(set) var silence: SilenceMeter
  /// The greatest magnitude of a sample; 1 is full scale.
  public private(set) var peak: Float = 0
  /// Samples in runs of three or more of a channel at or beyond full scale.
  public private(set) var clippedSampleCount: Int64 = 0
  /// Samples beyond full scale, which files of whole numbers cannot hold.
  public private(set) var excessSampleCount: Int64 = 0

  private var points: TruePeakMeter
  /// The greatest magnitude between samples of an earlier format.
  private var formerTruePeak: Float = 0
  /// For each channel, how many samples in a row are at full scale.
  private var runLengths: [Int]

  /// A meter that has seen no samples; numbers out of range count as the nearest
  /// ones: 1 to 64 channels, 1 Hz to 3.072 MHz.
  public init(channelCount: Int, sampleRate: Int, layout: ChannelLayout? = nil) {
    let (channelCount, sampleRate) = SampleLimits.nearest(channelCount, sampleRate)
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    loudness = LoudnessMeter(channelCount: channelCount, sampleRate: sampleRate, layout: layout)
    silence = SilenceMeter(channelCount: channelCount)
    points = TruePeakMeter(channelCount: channelCount)
    runLengths = [Int](repeating: 0, count: channelCount)
  }

  /// The greatest magnitude of samples and of what is between them; 1 is full scale.
  public var truePeak: Float {
    let peak = points.peak
    return peak > formerTruePeak ? peak : formerTruePeak
  }

  /// Continues with other samples; what was measured is kept.
  public mutating func follow(channelCount: Int, sampleRate: Int, layout: ChannelLayout? = nil) {
    let (channelCount, sampleRate) = SampleLimits.nearest(channelCount, sampleRate)
    formerTruePeak = truePeak
    points = TruePeakMeter(channelCount: channelCount)
    silence.follow(channelCount: channelCount, from: self.sampleRate, to: sampleRate)
    loudness.follow(channelCount: channelCount, sampleRate: sampleRate, layout: layout)
    runLengths = [Int](repeating: 0, count: channelCount)
    self.channelCount = channelCount
    self.sampleRate = sampleRate
  }

  /// Measures whole frames; an incomplete one at the end is ignored.
  public mutating func process(_ samples: Span<Float>) {
    let samples = samples.extracting(0..<samples.wholeCount(channelCount))
    loudness.process(samples)
    points.process(samples)
    silence.process(samples)
    for channel in 0..<channelCount { process(samples, channel) }
  }

  /// Finds the peak and what is clipped.
  private mutating func process(_ samples: Span<Float>, _ channel: Int) {
    var (peak, runLength) = (self.peak, runLengths[channel])
    var (clipped, excess): (Int64, Int64) = (0, 0)
    var index = channel
    while index < samples.count {
      let magnitude = samples[index].magnitude
      peak = magnitude > peak ? magnitude : peak
      if magnitude >= LevelMeter.fullScale {
        runLength += 1
        // The third one makes the two before it clipped as well.
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
