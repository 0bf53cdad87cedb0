/// What the encoder did with a frame, for showing it.
public struct FrameStatistics: Equatable, Sendable {
  /// What it did with one channel.
  public struct Channel: Equatable, Sendable {
    /// The sequence of windows.
    public var windowSequence: WindowSequence = .onlyLong
    /// The shape of the right half of the windows.
    public var windowShape: WindowShape = .sine
    /// The initial scalefactor.
    public var globalGain = 0
    /// The number of temporal noise shaping filters.
    public var noiseShapingFilterCount = 0
    /// The number of bands, in all groups of windows, that are filled with noise.
    public var noiseBandCount = 0
    /// The number of bands, in all groups of windows, that are scaled copies of the other channel's.
    public var intensityBandCount = 0
    /// The number of lines up to the highest that is not zero, noise included; 1024 reach up to
    /// half the sampling rate, in short windows as well.
    public var lineCount = 0

    /// A silent channel.
    public init() {}
  }

  /// The channels in the order of the bitstream.
  public var channels: [Channel] = []
  /// The number of bands of all channel pairs, in all groups of windows.
  public var pairBandCount = 0
  /// How many of these are coded as mid and side.
  public var midSideBandCount = 0
  /// Bits of the channels; the other bits of the unit keep the rate, end it and fill its last byte.
  public var channelBitCount = 0

  /// A frame without channels.
  public init() {}
}
