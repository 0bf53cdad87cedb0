extension AACEncoder {
  /// Returns the encoder's decisions for the frame that was just written.
  mutating func frameStatistics() -> FrameStatistics {
    var statistics = FrameStatistics()
    statistics.channels.reserveCapacity(channels.count)
    statistics.channelBitCount = writer.channelBitCount
    for index in elements.indices {
      if elements[index].kind == .pair {
        statistics.pairBandCount += elements[index].layout.bandCount
        statistics.midSideBandCount += elements[index].midSide.bandCount
      }
      for channel in elements[index].channels {
        statistics.channels.append(
          FrameStatistics.Channel(&channels[channel], elements[index]))
      }
    }
    return statistics
  }
}

extension FrameStatistics.Channel {
  init(_ frame: inout ChannelFrame, _ element: Element) {
    windowSequence = element.sequence
    windowShape = element.shape
    globalGain = Int(ScaleFactors.globalGain(&frame, element.layout))
    noiseShapingFilterCount = frame.noiseShaping.isActive ? 1 : 0
    for band in 0..<element.layout.bandCount {
      switch frame.codebooks[band] {
      case Codebook.noise: noiseBandCount += 1
      case Codebook.intensityInPhase, Codebook.intensityOutOfPhase: intensityBandCount += 1
      default: break
      }
    }
    // A line of a short window covers eight lines of a long one.
    lineCount = frame.windowLineCount(element.layout) * (element.layout.isShort ? 8 : 1)
  }
}

extension ChannelFrame {
  /// Returns the number of lines of a window up to the highest nonzero line in any window.
  ///
  /// Noise counts as nonzero.
  fileprivate func windowLineCount(_ layout: BandLayout) -> Int {
    var end = 0
    for (group, windowCount) in layout.groupLengths.enumerated() {
      for offset in (0..<layout.bandsPerGroup).reversed() {
        let (start, next) = (layout.windowOffsets[offset], layout.windowOffsets[offset + 1])
        if next <= end { break }
        let band = group * layout.bandsPerGroup + offset
        if codebooks[band] == Codebook.noise {
          end = next
        } else if Codebook.hasCodewords(codebooks[band]) {
          // The windows of a group are consecutive inside a band.
          for window in 0..<windowCount {
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
