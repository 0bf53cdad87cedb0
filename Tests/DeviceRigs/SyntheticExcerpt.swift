package import AacornDevices
package import AacornSignal

/// The beginning of a signal.
package struct SyntheticExcerpt: ReconfigurableSignal {
  private var base: any SyntheticSignal
  private var position = 0
  /// The length in frames; the signal may end earlier.
  package let frameCount: Int?

  /// Creates an excerpt of the first `frameCount` frames of a signal; no frames if `frameCount` is
  /// negative.
  package init(of base: any SyntheticSignal, frameCount: Int) {
    self.base = base
    self.frameCount = max(0, frameCount)
  }

  /// Frames per second.
  package var sampleRate: Int { base.sampleRate }

  /// Samples per frame.
  package var channelCount: Int { base.channelCount }

  /// The channel layout.
  package var layout: ChannelLayout? { base.layout }

  /// The reason why the signal ended early.
  package var failure: DeviceError? { position == frameCount ? nil : base.failure }

  /// Appends the next frames.
  package mutating func read(into samples: inout [Float], frameCount count: Int) -> Int {
    let read = base.read(
      into: &samples, frameCount: max(0, min(count, (frameCount ?? 0) - position)))
    position += read
    return read
  }

  /// Continues at another rate with another number of channels, if the signal can.
  package mutating func reconfigure(sampleRate: Int, channelCount: Int) {
    base.reconfigureIfPossible(sampleRate: sampleRate, channelCount: channelCount)
  }
}
