/// The format of a stream of interleaved samples.
@frozen
public struct PCMFormat: Equatable, Sendable {
  /// The format of one sample.
  public var sampleFormat: SampleFormat
  /// Frames per second.
  public var sampleRate: Int
  /// The number of channels.
  public var channelCount: Int
  /// The loudspeaker of each channel; nil if the source specifies none, or unknown ones.
  public var layout: ChannelLayout?

  /// Creates a format; its consumers report rates and numbers of channels that are unsupported.
  public init(
    sampleFormat: SampleFormat, sampleRate: Int, channelCount: Int, layout: ChannelLayout? = nil
  ) {
    self.sampleFormat = sampleFormat
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.layout = layout
  }

  /// The size of one frame in bytes; fewer than 1 channel counts as 1.
  public var bytesPerFrame: Int {
    let (size, overflow) = sampleFormat.bytesPerSample.multipliedReportingOverflow(
      by: max(1, channelCount))
    return overflow ? .max : size
  }
}

extension Span<Float> {
  /// Returns the number of samples in whole frames, without an incomplete frame at the end.
  func wholeCount(_ channelCount: Int) -> Int { count - count % channelCount }
}
