import AacornCodec
import AacornRecording

/// The properties of a frame that a page shows.
struct FrameReport: Equatable, Sendable {
  var byteCount: Int
  /// The window sequence of the first channel: 0 long, 1 start, 2 short, 3 stop (14496-3, table
  /// 4.109).
  var window: Int
  /// The share of the bands of channel pairs that is coded as mid and side, in percent.
  var midSideShare: Int
  /// The number of temporal noise shaping filters.
  var noiseShapingCount: Int
  /// The frequency at the end of the highest nonzero line, in hertz.
  var bandwidth: Int
  /// The fill level of the decoder's buffer in bits; −1 if unknown.
  var reservoirBits: Int
  /// The number of intensity stereo bands, which are scaled copies of the first channel's bands.
  var intensityCount: Int
  /// The number of bands filled with noise.
  var noiseCount: Int

  /// Creates the report of a packet at a sampling rate; nil if the packet has no frame statistics.
  init?(_ packet: EncodedPacket, sampleRate: Int) {
    guard let statistics = packet.statistics, let first = statistics.channels.first else {
      return nil
    }
    byteCount = packet.bytes.count
    window = Int(first.windowSequence.rawValue)
    let bandCount = statistics.pairBandCount
    midSideShare =
      bandCount == 0 ? 0 : (100 * statistics.midSideBandCount + bandCount / 2) / bandCount
    reservoirBits = packet.reservoirBits ?? -1
    (noiseShapingCount, intensityCount, noiseCount) = (0, 0, 0)
    var lineCount = 0
    for channel in statistics.channels {
      noiseShapingCount += channel.noiseShapingFilterCount
      intensityCount += channel.intensityBandCount
      noiseCount += channel.noiseBandCount
      lineCount = max(lineCount, channel.lineCount)
    }
    // The 1024 lines of a core frame cover the range up to half of the core's sampling rate.
    bandwidth = lineCount * sampleRate / max(1, 2 * packet.sampleCount)
  }

  /// The values in the order that pages expect.
  var numbers: [Int] {
    [
      byteCount, window, midSideShare, noiseShapingCount, bandwidth, reservoirBits,
      intensityCount, noiseCount,
    ]
  }
}
