/// The samples of an app's buffer in this package's format, with their presentation time.
public struct SoundBuffer: Equatable, Sendable {
  /// Frames per second.
  public let sampleRate: Int
  /// Samples per frame.
  public let channelCount: Int
  /// The loudspeaker of each channel, if the buffer states it.
  public let layout: ChannelLayout?
  /// The interleaved samples, usually in −1…1.
  public package(set) var samples: [Float]
  /// The presentation time of the first frame; nil if the buffer directly follows the previous one.
  public var time: MediaTime?

  /// Creates a buffer of whole interleaved frames.
  ///
  /// Rate and number of channels are not checked here: the consumers report values that they do not
  /// support, and ignore an incomplete frame.
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

  /// The number of whole frames; 0 without channels.
  public var frameCount: Int { channelCount > 0 ? samples.count / channelCount : 0 }
}
