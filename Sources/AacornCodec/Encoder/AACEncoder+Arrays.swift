import AacornSignal

extension AACEncoder {
  /// Appends interleaved 16-bit samples, with the channels in the order of a WAV file.
  public mutating func encode(interleaved samples: [Int16]) {
    encode(interleaved: samples.span)
  }

  /// Appends interleaved samples in −1…1.
  public mutating func encode(interleaved samples: [Float]) {
    encode(interleaved: samples.span)
  }

  /// Appends an array of 16-bit samples for each channel.
  ///
  /// Shorter and missing arrays are padded with silence; surplus arrays are ignored.
  public mutating func encode(planar channels: [[Int16]]) {
    encode(interleaved: Self.interleaved(channels, channelCount: configuration.channelCount).span)
  }

  /// Appends an array of samples in −1…1 for each channel.
  ///
  /// Shorter and missing arrays are padded with silence; surplus arrays are ignored.
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
