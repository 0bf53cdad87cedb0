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
  /// The number of bands of all channel pairs whose channels have the same windows, in all groups
  /// of windows.
  public var pairBandCount = 0
  /// The number of these bands coded as mid and side.
  public var midSideBandCount = 0
  /// The bits of the channels, without fill bits, the end element and padding.
  public var channelBitCount = 0

  /// Creates the statistics of a frame without channels.
  public init() {}
}

extension AACEncoder {
  /// Returns the encoder's decisions for the frame that was just written.
  mutating func frameStatistics() -> FrameStatistics {
    var statistics = FrameStatistics()
    statistics.channels.reserveCapacity(channels.count)
    statistics.channelBitCount = writer.channelBitCount
    for index in elements.indices {
      if elements[index].kind == .pair && elements[index].sharesWindows {
        statistics.pairBandCount += elements[index].windows[0].layout.bandCount
        statistics.midSideBandCount += elements[index].midSide.bandCount
      }
      for channel in elements[index].channels {
        statistics.channels.append(
          FrameStatistics.Channel(&channels[channel], elements[index].layout(channel)))
      }
    }
    return statistics
  }
}

extension FrameStatistics.Channel {
  init(_ frame: inout ChannelFrame, _ layout: BandLayout) {
    let window = layout.window
    windowSequence = window.sequence
    windowShape = window.shape
    globalGain = Int(ScaleFactors.globalGain(&frame, layout))
    noiseShapingFilterCount = frame.noiseShaping.isActive ? 1 : 0
    for band in 0..<layout.bandCount {
      switch frame.codebooks[band] {
      case Codebook.noise: noiseBandCount += 1
      case Codebook.intensityInPhase, Codebook.intensityOutOfPhase: intensityBandCount += 1
      default: break
      }
    }
    // A line of a short window covers eight lines of a long one.
    lineCount = frame.windowLineCount(layout) * (window.isShort ? 8 : 1)
  }
}

extension ChannelFrame {
  /// Returns the number of lines of a window up to the highest nonzero line in any window.
  ///
  /// Noise counts as nonzero.
  fileprivate func windowLineCount(_ layout: BandLayout) -> Int {
    var end = 0
    let bandsPerGroup = layout.window.bandsPerGroup
    for group in 0..<layout.window.groupCount {
      for offset in (0..<bandsPerGroup).reversed() {
        let (start, next) = (layout.windowOffsets[offset], layout.windowOffsets[offset + 1])
        if next <= end { break }
        let band = group * bandsPerGroup + offset
        if codebooks[band] == Codebook.noise {
          end = next
        } else if Codebook.hasCodewords(codebooks[band]) {
          // The windows of a group are consecutive inside a band.
          for window in 0..<Int(layout.window.groupLengths[group]) {
            let first = layout.offsets[band] + window * (next - start)
            for line in start..<next where quantized[first + line - start] != 0 {
              end = max(end, line + 1)
            }
          }
        }
      }
    }
    return end
  }
}
