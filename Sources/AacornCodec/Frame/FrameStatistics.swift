/// The encoder's decisions for a frame, for display.
public struct FrameStatistics: Equatable, Sendable {
  /// The decisions for one channel.
  public struct Channel: Equatable, Sendable {
    /// The sequence of windows.
    public var windowSequence: WindowSequence = .onlyLong
    /// The shape of the right half of the windows.
    public var windowShape: WindowShape = .sine
    /// The initial scalefactor.
    public var globalGain = 0
    /// The number of temporal noise shaping filters.
    public var noiseShapingFilterCount = 0
    /// The number of bands, in all groups of windows, that are coded as noise.
    public var noiseBandCount = 0
    /// The number of bands, in all groups of windows, that are copies of the other channel's.
    public var intensityBandCount = 0
    /// The number of lines up to the highest nonzero line, including noise.
    ///
    /// 1024 lines reach half the sampling rate, in short windows as well.
    public var lineCount = 0

    /// Creates the statistics of a silent channel.
    public init() {}
  }

  /// The channels in the order of the bitstream.
  public var channels: [Channel] = []
  /// The number of bands of all channel pairs, in all groups of windows.
  public var pairBandCount = 0
  /// The number of these bands coded as mid and side.
  public var midSideBandCount = 0
  /// The bits of the channels, without fill bits, the end element and padding.
  public var channelBitCount = 0

  /// Creates the statistics of a frame without channels.
  public init() {}
}
