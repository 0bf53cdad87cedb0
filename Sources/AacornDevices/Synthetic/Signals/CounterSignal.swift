import AacornSignal

/// A number for every sample that identifies its position; for tests.
///
/// The values are exact in 16-bit integers and in Floats, and repeat after 65,536 frames.
public struct CounterSignal: SyntheticSignal {
  /// Frames per second.
  public package(set) var sampleRate: Int
  /// Samples per frame.
  public package(set) var channelCount: Int
  private var frame = 0

  /// Creates a counter that begins with frame 0.
  public init(sampleRate: Int, channelCount: Int) {
    self.sampleRate = SampleLimits.sampleRate(sampleRate)
    self.channelCount = SampleLimits.channelCount(channelCount)
  }

  /// Returns the value of channel c in frame n: ((7n + 4099c) mod 65,536 − 32,768) / 32,768.
  public static func value(frame: Int, channel: Int) -> Float {
    let number = (frame &* 7 &+ channel &* 4099) & 0xFFFF
    return Float(number - 32_768) * 0x1p-15
  }

  /// Returns the number of the frame, modulo 65,536, in which a channel has a value.
  public static func frame(value: Float, channel: Int) -> Int {
    // 28,087 is the inverse of 7: 7 · 28,087 = 3 · 65,536 + 1.
    let number = Int(SampleConversion.int16(value)) + 32_768
    return (number &- channel &* 4099) &* 28_087 & 0xFFFF
  }

  /// Appends the next frames.
  public mutating func read(into samples: inout [Float], frameCount: Int) -> Int {
    for _ in 0..<max(0, frameCount) {
      for channel in 0..<channelCount {
        samples.append(Self.value(frame: frame, channel: channel))
      }
      frame &+= 1
    }
    return max(0, frameCount)
  }
}
