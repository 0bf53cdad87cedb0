public import AacornSignal

/// A signal that is generated or read rather than captured.
///
/// It is read frame by frame and has no clock; ``SyntheticSource`` plays it as a device would.
public protocol SyntheticSignal: Sendable {
  /// Frames per second.
  var sampleRate: Int { get }

  /// Samples per frame.
  var channelCount: Int { get }

  /// The channel layout, if it is known.
  var layout: ChannelLayout? { get }

  /// The total number of frames; nil if the signal is endless or the number is unknown.
  var frameCount: Int? { get }

  /// The reason why the signal ended early, set at its end; or damage in the signal, set once it is
  /// detected.
  var failure: DeviceError? { get }

  /// Appends the next frames, interleaved, and returns their number: fewer than requested only at
  /// the end.
  mutating func read(into samples: inout [Float], frameCount: Int) -> Int

  /// Continues at another rate with another number of channels.
  ///
  /// A signal that is read from a file cannot do that, and stays unchanged.
  mutating func reconfigure(sampleRate: Int, channelCount: Int)
}

extension SyntheticSignal {
  /// Nil: the default layout of the channel count.
  public var layout: ChannelLayout? { nil }

  /// Nil: the signal is endless.
  public var frameCount: Int? { nil }

  /// Nil: the signal cannot fail.
  public var failure: DeviceError? { nil }

  /// Has no effect.
  public mutating func reconfigure(sampleRate: Int, channelCount: Int) {}

  /// Skips frames without delivering them, and returns their number.
  mutating func skip(frameCount: Int) -> Int {
    var skippedSamples: [Float] = []
    var skipped = 0
    while skipped < frameCount {
      skippedSamples.removeAll(keepingCapacity: true)
      let count = read(into: &skippedSamples, frameCount: min(4096, frameCount - skipped))
      if count == 0 { break }
      skipped += count
    }
    return skipped
  }
}

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

/// Endless silence.
public struct SilenceSignal: SyntheticSignal {
  /// Frames per second.
  public private(set) var sampleRate: Int
  /// Samples per frame.
  public private(set) var channelCount: Int

  /// Creates silence of this format.
  public init(sampleRate: Int, channelCount: Int) {
    self.sampleRate = SampleLimits.sampleRate(sampleRate)
    self.channelCount = SampleLimits.channelCount(channelCount)
  }

  /// Appends zeros.
  public mutating func read(into samples: inout [Float], frameCount: Int) -> Int {
    let count = max(0, frameCount)
    samples.append(contentsOf: repeatElement(0, count: count * channelCount))
    return count
  }

  /// Continues at another rate with another number of channels.
  public mutating func reconfigure(sampleRate: Int, channelCount: Int) {
    self.sampleRate = SampleLimits.sampleRate(sampleRate)
    self.channelCount = SampleLimits.channelCount(channelCount)
  }
}
