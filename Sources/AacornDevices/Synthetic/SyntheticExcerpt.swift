public import AacornSignal

/// The beginning of a signal.
public struct SyntheticExcerpt: SyntheticSignal {
  private var base: any SyntheticSignal
  private var position = 0
  /// The length in frames; the signal may end earlier.
  public let frameCount: Int?

  /// Creates an excerpt of the first `frameCount` frames of a signal; no frames if `frameCount` is
  /// negative.
  public init(of base: any SyntheticSignal, frameCount: Int) {
    self.base = base
    self.frameCount = max(0, frameCount)
  }

  /// Frames per second.
  public var sampleRate: Int { base.sampleRate }

  /// Samples per frame.
  public var channelCount: Int { base.channelCount }

  /// The channel layout.
  public var layout: ChannelLayout? { base.layout }

  /// The reason why the signal ended early.
  public var failure: DeviceError? { position == frameCount ? nil : base.failure }

  /// Appends the next frames.
  public mutating func read(into samples: inout [Float], frameCount count: Int) -> Int {
    let read = base.read(
      into: &samples, frameCount: max(0, min(count, (frameCount ?? 0) - position)))
    position += read
    return read
  }

  /// Continues at another rate with another number of channels, if the signal can.
  public mutating func reconfigure(sampleRate: Int, channelCount: Int) {
    base.reconfigure(sampleRate: sampleRate, channelCount: channelCount)
  }
}
