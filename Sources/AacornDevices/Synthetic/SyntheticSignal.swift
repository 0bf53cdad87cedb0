public import AacornSignal

/// A sound that is made or read rather than captured.
///
/// It is pulled frame by frame and has no clock; ``SyntheticSource`` plays it as a device would.
public protocol SyntheticSignal: Sendable {
  /// Frames per second.
  var sampleRate: Int { get }

  /// Samples per frame.
  var channelCount: Int { get }

  /// What each channel is, if that is known.
  var layout: ChannelLayout? { get }

  /// How many frames there are in all; nil if it never ends or that is not known.
  var frameCount: Int? { get }

  /// Why the signal ended early, checked when it has ended; or its damage, as soon as that is known.
  var failure: CaptureError? { get }

  /// Appends the next frames, interleaved, and returns how many: fewer than asked only at the end.
  mutating func read(into samples: inout [Float], frameCount: Int) -> Int

  /// Continues at another rate with another number of channels.
  ///
  /// A recording cannot do that and stays as it is.
  mutating func adopt(sampleRate: Int, channelCount: Int)
}

extension SyntheticSignal {
  /// Nil: the usual channels for their number.
  public var layout: ChannelLayout? { nil }

  /// Nil: it never ends.
  public var frameCount: Int? { nil }

  /// Nil: nothing can go wrong.
  public var failure: CaptureError? { nil }

  /// Does nothing.
  public mutating func adopt(sampleRate: Int, channelCount: Int) {}

  /// Skips frames that nobody hears, and returns how many.
  mutating func skip(frameCount: Int) -> Int {
    var unheard: [Float] = []
    var skipped = 0
    while skipped < frameCount {
      unheard.removeAll(keepingCapacity: true)
      let count = read(into: &unheard, frameCount: min(4096, frameCount - skipped))
      if count == 0 { break }
      skipped += count
    }
    return skipped
  }
}
