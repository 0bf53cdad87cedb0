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
}

extension SyntheticSignal {
  /// Nil: the default layout of the channel count.
  public var layout: ChannelLayout? { nil }

  /// Nil: the signal is endless.
  public var frameCount: Int? { nil }

  /// Nil: the signal cannot fail.
  public var failure: DeviceError? { nil }
}

/// Endless silence.
public struct SilenceSignal: SyntheticSignal {
  /// Frames per second.
  public let sampleRate: Int
  /// Samples per frame.
  public let channelCount: Int

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
}
