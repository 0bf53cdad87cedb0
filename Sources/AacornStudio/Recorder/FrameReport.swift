import AacornCodec
import AacornRecording

/// What a page shows of a frame.
struct FrameReport: Equatable, Sendable {
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

  /// The report of a packet at this sampling rate; nil if it says nothing of a frame.
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
    // The core's 1024 lines of a frame reach up to half of its sampling rate.
    bandwidth = lineCount * sampleRate / max(1, 2 * packet.sampleCount)
  }

  /// The values in the order in which pages read them.
  var numbers: [Int] {
    [
      byteCount, window, midSideShare, noiseShapingCount, bandwidth, reservoirBits,
      intensityCount, noiseCount,
    ]
  }
}
