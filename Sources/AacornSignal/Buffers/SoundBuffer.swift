/// The samples of an app's buffer in this package's own form, and when they are due.
public struct SoundBuffer: Equatable, Sendable {
  /// Frames per second.
  public let sampleRate: Int
  /// Samples per frame.
  public let channelCount: Int
  /// What each channel is, if the buffer says so.
  public let layout: ChannelLayout?
  /// Interleaved samples, from −1 to 1 as a rule.
  public private(set) var samples: [Float]
  /// When the first frame is due; nil for right after the buffer before.
  public var time: MediaTime?

  /// A buffer of whole interleaved frames.
  ///
  /// It may say what is impossible: whatever takes it reports a rate or a number of channels that it cannot
  /// take, and counts only whole frames.
  public init(
    _ samples: [Float], sampleRate: Int, channelCount: Int, layout: ChannelLayout? = nil,
    time: MediaTime? = nil
  ) {
    self.samples = samples
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.layout = layout
    self.time = time
  }

  /// A silent buffer with these frames, which `fill` fills.
  init(
    _ description: PCMDescription, frameCount: Int, layout: ChannelLayout?, time: MediaTime?
  ) {
    self.init(
      [Float](repeating: 0, count: max(0, frameCount) * description.channelCount),
      sampleRate: description.sampleRate, channelCount: description.channelCount,
      layout: layout?.speakers.count == description.channelCount ? layout : nil, time: time)
  }

  /// Takes the samples of one area of memory, which has this number among those of the buffer.
  mutating func fill(
    _ buffer: Int, from bytes: Span<UInt8>, as description: PCMDescription
  ) throws(PCMBufferError) {
    try description.unpack(bytes, buffer: buffer, frameCount: frameCount, into: &samples)
  }

  /// How many whole frames there are; none without channels.
  public var frameCount: Int { channelCount > 0 ? samples.count / channelCount : 0 }
}
