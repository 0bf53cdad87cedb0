import AacornSignal

extension AACEncoder {
  /// Takes interleaved 16-bit samples, channel by channel in the order of a WAV file.
  public mutating func encode(interleaved samples: [Int16]) {
    encode(interleaved: samples.span)
  }

  /// Takes interleaved samples from −1 to 1.
  public mutating func encode(interleaved samples: [Float]) {
    encode(interleaved: samples.span)
  }

  /// Takes an array of 16-bit samples for each channel.
  ///
  /// Of arrays of different lengths, and of a wrong number of them, what is missing is silence, and
  /// further channels are ignored.
  public mutating func encode(planar channels: [[Int16]]) {
    encode(interleaved: Self.interleaved(channels, channelCount: configuration.channelCount).span)
  }

  /// Takes an array of samples from −1 to 1 for each channel.
  ///
  /// Of arrays of different lengths, and of a wrong number of them, what is missing is silence, and
  /// further channels are ignored.
  public mutating func encode(planar channels: [[Float]]) {
    encode(interleaved: Self.interleaved(channels, channelCount: configuration.channelCount).span)
  }

  private static func interleaved<Sample: Numeric>(
    _ channels: [[Sample]], channelCount: Int
  ) -> [Sample] {
    var frameCount = 0
    for channel in channels { frameCount = max(frameCount, channel.count) }
    var samples = [Sample](repeating: 0, count: frameCount * channelCount)
    for channel in 0..<min(channelCount, channels.count) {
      for frame in 0..<channels[channel].count {
        samples[frame * channelCount + channel] = channels[channel][frame]
      }
    }
    return samples
  }
}
