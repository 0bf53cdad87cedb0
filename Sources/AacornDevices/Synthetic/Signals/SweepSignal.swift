import AacornSignal

/// A sine that rises by an octave a second from 20 Hz to nearly half the rate, repeatedly.
///
/// Neighboring channels are a quarter of a turn apart.
public struct SweepSignal: SyntheticSignal {
  /// Frames per second.
  public private(set) var sampleRate: Int
  /// Samples per frame.
  public private(set) var channelCount: Int
  private var oscillator = Oscillator()
  private var frameOfOctave = 0
  private var lowest = SweepSignal.start

  private static let start = 20.0
  private static let amplitude = 0.5

  /// Creates a sweep that begins at 20 Hz.
  public init(sampleRate: Int, channelCount: Int) {
    self.sampleRate = SampleLimits.sampleRate(sampleRate)
    self.channelCount = SampleLimits.channelCount(channelCount)
  }

  /// Appends the next frames.
  public mutating func read(into samples: inout [Float], frameCount: Int) -> Int {
    for _ in 0..<max(0, frameCount) {
      // Linear within an octave, which is close enough to exponential.
      let hertz = lowest * (1 + Double(frameOfOctave) / Double(sampleRate))
      _ = oscillator.next(hertz: hertz, sampleRate: sampleRate)
      for channel in 0..<channelCount {
        let turned = oscillator.phase &+ UInt32(truncatingIfNeeded: channel) << 30
        samples.append(Float(Self.amplitude * Oscillator.sine(turned)))
      }
      frameOfOctave += 1
      if frameOfOctave >= sampleRate {
        frameOfOctave = 0
        lowest *= 2
      }
      if hertz >= 0.45 * Double(sampleRate) || hertz >= 20_000 {
        frameOfOctave = 0
        lowest = Self.start
      }
    }
    return max(0, frameCount)
  }

  /// Continues at another rate with another number of channels.
  public mutating func reconfigure(sampleRate: Int, channelCount: Int) {
    let sampleRate = SampleLimits.sampleRate(sampleRate)
    frameOfOctave = frameOfOctave * sampleRate / self.sampleRate
    self.sampleRate = sampleRate
    self.channelCount = SampleLimits.channelCount(channelCount)
  }
}
