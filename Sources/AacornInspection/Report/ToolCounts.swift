import AacornCodec

/// The usage of AAC's tools.
///
/// A “channel” is one channel of one frame: a minute of stereo at 48 kHz has 5625 of them.
@frozen
public struct ToolCounts: Equatable, Sendable {
  /// The number of channels that were read.
  public var channels: Int64 = 0
  /// Channels with one long window.
  public var longChannels: Int64 = 0
  /// Channels with a long window that ends in a short slope.
  public var startChannels: Int64 = 0
  /// Channels with eight short windows.
  public var shortChannels: Int64 = 0
  /// Channels with a long window that begins with a short slope.
  public var stopChannels: Int64 = 0
  /// Channel pairs.
  public var pairs: Int64 = 0
  /// Pairs whose channels share their windows.
  public var commonWindowPairs: Int64 = 0
  /// Pairs with at least one mid/side band.
  public var midSidePairs: Int64 = 0
  /// The number of mid/side bands in all pairs.
  public var midSideBands: Int64 = 0
  /// Channels with temporal noise shaping.
  public var noiseShapingChannels: Int64 = 0
  /// Channels with pulses.
  public var pulseChannels: Int64 = 0
  /// Channels with noise bands.
  public var noiseChannels: Int64 = 0
  /// The number of noise bands.
  public var noiseBands: Int64 = 0
  /// Channels with intensity bands.
  public var intensityChannels: Int64 = 0
  /// The number of intensity bands.
  public var intensityBands: Int64 = 0
  /// The number of bands of all kinds, including bands of zeros.
  public var bands: Int64 = 0
  /// Frames with SBR.
  public var spectralBandReplicationFrames: Int64 = 0
  /// Frames with dynamic range control.
  public var dynamicRangeFrames: Int64 = 0
  /// Coupling elements.
  public var couplingElements: Int64 = 0
  /// Data elements.
  public var dataElements: Int64 = 0
  /// Program config elements.
  public var programConfigElements: Int64 = 0
  /// The size of fill elements without data, in bytes.
  public var fillBytes: Int64 = 0
  /// The size of the channels without their spectra, in bits.
  public var sideInformationBits: Int64 = 0
  /// The size of the spectra, in bits.
  public var spectralBits: Int64 = 0

  mutating func add(_ block: ParsedBlock) {
    for element in block.elements { add(element) }
    for channel in block.channels { add(channel) }
    var hasReplication = false
    var hasDynamicRange = false
    for part in block.extensions {
      if part.kind.isSpectralBandReplication { hasReplication = true }
      if part.kind == .dynamicRange { hasDynamicRange = true }
    }
    if hasReplication { spectralBandReplicationFrames += 1 }
    if hasDynamicRange { dynamicRangeFrames += 1 }
    fillBytes += Int64(block.fillByteCount)
  }

  private mutating func add(_ element: ParsedElement) {
    switch element.kind {
    case .pair:
      pairs += 1
      if element.hasCommonWindow { commonWindowPairs += 1 }
      if element.midSideBandCount > 0 { midSidePairs += 1 }
      midSideBands += Int64(element.midSideBandCount)
    case .coupling: couplingElements += 1
    case .data: dataElements += 1
    case .programConfig: programConfigElements += 1
    case .single, .lowFrequency, .fill, .end: break
    }
  }

  private mutating func add(_ channel: ParsedChannel) {
    channels += 1
    switch channel.window.sequence {
    case .onlyLong: longChannels += 1
    case .longStart: startChannels += 1
    case .eightShort: shortChannels += 1
    case .longStop: stopChannels += 1
    }
    if channel.hasNoiseShaping { noiseShapingChannels += 1 }
    if !channel.pulses.isEmpty { pulseChannels += 1 }
    if channel.noiseBandCount > 0 { noiseChannels += 1 }
    if channel.intensityBandCount > 0 { intensityChannels += 1 }
    noiseBands += Int64(channel.noiseBandCount)
    intensityBands += Int64(channel.intensityBandCount)
    bands += Int64(channel.codebooks.count)
    sideInformationBits += Int64(channel.sideInformationBits)
    spectralBits += Int64(channel.spectralBits)
  }
}
