public import AacornSignal

/// A unit of captured data: samples with their time, or an event.
///
/// It consists of plain numbers, so that it can go through a ring without a lock.
@frozen
public struct CaptureBlock: BitwiseCopyable, Sendable {
  /// The event; nil for a block of samples.
  public var event: DeviceEvent?
  /// The number of frames in the block.
  public var frameCount: Int
  /// Samples per frame.
  public var channelCount: Int
  /// Frames per second.
  public var sampleRate: Int
  /// The monotonic clock at the first frame, in nanoseconds; for an event, the time at which it
  /// occurred.
  public var time: Int64
  /// Whether `time` is accurate enough to compare with the clock; false right after an
  /// interruption.
  public var isTimeReliable: Bool
  /// The number of frames known to be lost right before the first frame.
  public var lostFrameCount: Int
  /// The cause of the loss.
  public var lossCause: CaptureLoss
  /// ``layout`` as a number; 0 if it is not known.
  @usableFromInline var layoutCode: UInt64 = 0

  /// The channel layout of the samples, if the source reports it.
  public var layout: ChannelLayout? {
    get { ChannelLayout(code: layoutCode) }
    set { layoutCode = newValue?.code ?? 0 }
  }

  /// Clamps unrealistic values to a range that is safe to compute with.
  ///
  /// Times stay within 73 years, losses within 46 days.
  @_noAllocation
  mutating func clampValues() {
    let maxTime: Int64 = 1 << 61
    time = min(max(time, -maxTime), maxTime)
    // No calls of functions of other modules: the compiler cannot check them for `@_noAllocation`,
    // and this runs on the device's thread.
    let maxLostFrameCount = 4_000_000 &* Int64(min(max(1, sampleRate), 1_000_000))
    lostFrameCount = Int(truncatingIfNeeded: min(Int64(max(0, lostFrameCount)), maxLostFrameCount))
  }

  /// Whether the samples of another block have the same format as this block's.
  package func hasSameFormat(as other: CaptureBlock) -> Bool {
    sampleRate == other.sampleRate && channelCount == other.channelCount
      && layoutCode == other.layoutCode
  }

  /// Creates a block of samples.
  public init(
    frameCount: Int, channelCount: Int, sampleRate: Int, time: Int64, isTimeReliable: Bool = true,
    lostFrameCount: Int = 0, lossCause: CaptureLoss = .overrun, layout: ChannelLayout? = nil
  ) {
    event = nil
    self.frameCount = frameCount
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    self.time = time
    self.isTimeReliable = isTimeReliable
    self.lostFrameCount = lostFrameCount
    self.lossCause = lossCause
    self.layout = layout
  }

  /// Creates an event without samples.
  public init(_ event: DeviceEvent, time: Int64) {
    self.init(frameCount: 0, channelCount: 0, sampleRate: 0, time: time)
    self.event = event
  }
}

/// The cause of a loss of frames.
@frozen
public enum CaptureLoss: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// The device's buffer was full (an overrun, "xrun").
  case overrun
  /// The sound server left a gap.
  case serverHole
  /// The device or the server was disconnected.
  case deviceLost
  /// The device was suspended.
  case suspended
  /// The program did not read the frames in time.
  case programLate
  /// The clock advanced without samples, and the system reported no cause.
  case unexplained
}
