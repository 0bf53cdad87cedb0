import AacornCodec
import AacornRecording

/// Reports what the encoder did with each frame, by parsing the frames.
struct FrameReport {
  /// What a page shows of a frame.
  struct Row: Equatable, Sendable {
    var byteCount: Int
    /// The first channel's: 0 long, 1 start, 2 short, 3 stop (14496-3, table 4.109).
    var window: Int
    /// Bands of channel pairs coded as mid and side, as a percentage of all their bands.
    var midSideShare: Int
    /// The number of temporal noise shaping filters.
    var noiseShapingCount: Int
    /// The frequency at the end of the highest nonzero line, in hertz.
    var bandwidth: Int
    /// What is left in the decoder's buffer, in bits; −1 if unknown.
    var reservoirBits: Int
    /// Bands that are a scaled copy of the first channel's.
    var intensityCount: Int
    /// Bands filled with noise.
    var noiseCount: Int

    /// The row's values in the order in which pages read them.
    var numbers: [Int] {
      [
        byteCount, window, midSideShare, noiseShapingCount, bandwidth, reservoirBits,
        intensityCount, noiseCount,
      ]
    }
  }

  private var parser: AccessUnitParser

  /// Creates a report for frames with this rate and channel count.
  init(sampleRate: Int, channelCount: Int) {
    parser = AccessUnitParser(
      AudioSpecificConfig(
        objectType: .lowComplexity, sampleRate: sampleRate,
        channelConfiguration: channelCount == 8 ? 7 : channelCount),
      keepsSpectrum: true)
  }

  /// The row of a packet; nil if it is not a frame.
  mutating func row(_ packet: Packet) -> Row? {
    guard (try? parser.parse(packet.bytes)) != nil, let first = parser.block.channels.first else {
      return nil
    }
    var row = Row(
      byteCount: packet.bytes.count, window: Int(first.window.sequence.rawValue), midSideShare: 0,
      noiseShapingCount: 0, bandwidth: 0, reservoirBits: packet.reservoirBits ?? -1,
      intensityCount: 0, noiseCount: 0)
    var highest = 0
    for channel in parser.block.channels {
      for filter in channel.noiseShapingFilters where filter.order > 0 {
        row.noiseShapingCount += 1
      }
      row.intensityCount += channel.intensityBandCount
      row.noiseCount += channel.noiseBandCount
      highest = max(highest, end(of: channel))
    }
    row.midSideShare = midSideShare
    // The 1024 lines of a frame reach up to half the sampling rate.
    row.bandwidth = highest * parser.configuration.sampleRate / (2 * frameLength)
    return row
  }

  private var frameLength: Int { parser.configuration.frameLength }

  private var midSideShare: Int {
    var bandCount = 0
    var sharedCount = 0
    for element in parser.block.elements where element.kind == .pair {
      let window = parser.block.channels[element.firstChannel].window
      bandCount += window.groupCount * window.bandCount
      sharedCount += element.midSideBandCount
    }
    return bandCount == 0 ? 0 : (100 * sharedCount + bandCount / 2) / bandCount
  }

  /// The number of lines of a long window up to the highest nonzero one, noise included.
  private func end(of channel: ParsedChannel) -> Int {
    let window = channel.window
    let length = window.isShort ? frameLength / 8 : frameLength
    let scale = frameLength / length
    var end = 0
    for index in channel.spectrum.indices where channel.spectrum[index] != 0 {
      end = max(end, index % length + 1)
    }
    if channel.noiseBandCount > 0 {
      let offsets = parser.bandOffsets(isShort: window.isShort)
      for index in channel.codebooks.indices where channel.codebooks[index] == Codebook.noise {
        end = max(end, offsets[index % window.bandCount + 1])
      }
    }
    return end * scale
  }
}
