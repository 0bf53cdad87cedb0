/// Zeros, forever.
public struct SilenceSignal: SyntheticSignal {
  /// Frames per second.
  public private(set) var sampleRate: Int
  /// Samples per frame.
  public private(set) var channelCount: Int

  /// Creates silence of this format.
  public init(sampleRate: Int, channelCount: Int) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
  }

  /// Appends zeros.
  public mutating func read(into samples: inout [Float], frameCount: Int) -> Int {
    samples.append(contentsOf: repeatElement(0, count: frameCount * channelCount))
    return frameCount
  }

  /// Continues at another rate with another number of channels.
  public mutating func adopt(sampleRate: Int, channelCount: Int) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
  }
}
