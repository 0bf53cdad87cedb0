import AacornSignal

/// Endless silence.
public struct SilenceSignal: SyntheticSignal {
  /// Frames per second.
  public private(set) var sampleRate: Int
  /// Samples per frame.
  public private(set) var channelCount: Int

  /// Creates silence of this format.
  public init(sampleRate: Int, channelCount: Int) {
    self.sampleRate = SampleLimits.sampleRate(sampleRate)
    self.channelCount = SampleLimits.channelCount(channelCount)
  }

  /// Appends zeros.
  public mutating func read(into samples: inout [Float], frameCount: Int) -> Int {
    let count = max(0, frameCount)
    samples.append(contentsOf: repeatElement(0, count: count * channelCount))
    return count
  }

  /// Continues at another rate with another number of channels.
  public mutating func reconfigure(sampleRate: Int, channelCount: Int) {
    self.sampleRate = SampleLimits.sampleRate(sampleRate)
    self.channelCount = SampleLimits.channelCount(channelCount)
  }
}
