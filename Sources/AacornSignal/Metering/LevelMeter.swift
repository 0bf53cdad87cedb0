/// Measures the level of each channel of interleaved samples, and counts clipping.
///
/// Time is counted in samples, so the readings do not depend on the time of reading. Except for
/// per-block values, they do not depend on the division of the samples into blocks either. Infinite
/// samples count as clipped. In levels, infinite samples and NaN count as silence.
public struct LevelMeter: Sendable {
  /// The readings of a channel; amplitudes are linear, 1 is full scale.
  @frozen
  public struct Level: Equatable, Sendable {
    /// The peak magnitude of the last block.
    public internal(set) var peak: Float = 0
    /// The mean square of the last block.
    public internal(set) var power: Float = 0
    /// The peak magnitude held for a second, then falling by 20 dB per second.
    public internal(set) var heldPeak: Float = 0

    /// The peak magnitude of the last block in dBFS; −∞ for silence.
    public var peakDecibels: Float { Decibels.of(amplitude: peak) }
    /// The RMS level of the last block in dBFS; −3 for a full-scale sine.
    public var rmsDecibels: Float { Decibels.of(power: power) }
    /// The held peak in dBFS.
    public var heldPeakDecibels: Float { Decibels.of(amplitude: heldPeak) }
  }

  /// The minimum magnitude of a full-scale sample: the highest 16-bit value.
  public static let fullScale: Float = 32_767.0 / 32_768
  /// The minimum number of consecutive full-scale samples in a channel that count as clipped.
  public static let clippedRunLength = 3

  /// The number of channels.
  public let channelCount: Int
  /// Frames per second.
  public let sampleRate: Int
  /// The readings of each channel.
  public private(set) var levels: [Level]
  /// The number of clipped samples: beyond ±1, or three or more in a row at full scale.
  public private(set) var clippedSampleCount = 0

  private var states: [ChannelState]
  /// The factor of a falling held peak, per sample.
  private let decay: Float

  private struct ChannelState: Sendable {
    /// The peak magnitude since the last `takePeaks`.
    var peak: Float = 0
    /// The number of samples since the held peak.
    var age = 0
    /// The number of consecutive samples at full scale.
    var runLength = 0
    /// The samples of the run that have not been counted yet.
    var uncounted = 0
  }

  /// Creates a meter without any samples.
  ///
  /// Values out of range are clamped: 1 to 64 channels, 1 Hz to 3.072 MHz.
  public init(channelCount: Int, sampleRate: Int) {
    let (channelCount, sampleRate) = SampleLimits.nearest(channelCount, sampleRate)
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    levels = Array(repeating: Level(), count: channelCount)
    states = Array(repeating: ChannelState(), count: channelCount)
    // 10^(−1 / rate), by the first terms of its series: 20 dB in a second.
    let exponent = 2.302_585_092_994_046 / Double(sampleRate)
    decay = Float(max(0, 1 - exponent + exponent * exponent / 2))
  }

  /// Measures a block of whole frames.
  ///
  /// An incomplete frame at the end is ignored; a block without whole frames changes nothing.
  public mutating func process(_ samples: Span<Float>) {
    let samples = samples.extracting(0..<samples.wholeCount(channelCount))
    guard !samples.isEmpty else { return }
    for channel in 0..<channelCount { process(samples, channel: channel) }
  }

  /// Returns the peak magnitude of each channel since the last call.
  public mutating func takePeaks() -> [Float] {
    var peaks: [Float] = []
    peaks.reserveCapacity(channelCount)
    for channel in 0..<channelCount {
      peaks.append(states[channel].peak)
      states[channel].peak = 0
    }
    return peaks
  }

  private mutating func process(_ samples: Span<Float>, channel: Int) {
    var state = states[channel]
    var level = levels[channel]
    var peak: Float = 0
    var energy = 0.0
    var index = channel
    while index < samples.count {
      let sample = samples[index]
      index += channelCount
      let isBeyondFullScale = sample.magnitude > 1
      let magnitude = sample.isFinite ? sample.magnitude : 0
      if isBeyondFullScale || magnitude >= Self.fullScale {
        state.runLength += 1
        if isBeyondFullScale { clippedSampleCount += 1 } else { state.uncounted += 1 }
        if state.runLength >= Self.clippedRunLength {
          clippedSampleCount += state.uncounted
          state.uncounted = 0
        }
      } else {
        state.runLength = 0
        state.uncounted = 0
      }
      peak = magnitude > peak ? magnitude : peak
      energy += Double(magnitude) * Double(magnitude)
      if magnitude >= level.heldPeak {
        level.heldPeak = magnitude
        state.age = 0
      } else if state.age < sampleRate {
        state.age += 1
      } else {
        // Levels below −180 dB count as silence; subnormal numbers would only cost time.
        level.heldPeak = level.heldPeak > 1e-9 ? level.heldPeak * decay : 0
      }
    }
    level.peak = peak
    level.power = Float(energy / Double(samples.count / channelCount))
    state.peak = max(state.peak, peak)
    states[channel] = state
    levels[channel] = level
  }
}
