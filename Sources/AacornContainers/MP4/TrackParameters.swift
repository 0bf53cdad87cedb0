package import AacornCodec

/// Track values derived from its configuration.
struct TrackParameters: Sendable {
  /// The AudioSpecificConfig.
  let decoderSpecificInfo: [UInt8]
  /// The number of channels that a decoder outputs.
  let channelCount: UInt16
  /// Samples per second of the decoded audio: the clock of the movie, so that every duration is
  /// exact.
  let timescale: UInt64
  /// The rate that the track says it has: of implicit band replication that of the core, as in the
  /// configuration.
  let statedRate: UInt64
  /// Samples per frame.
  let samplesPerUnit: UInt64
  /// Samples in a tick of the track.
  let samplesPerTick: UInt64
  /// The decoder's input buffer: 6144 bits for each channel except the LFE (14496-3, 4.5.3.1).
  let bufferByteCount: UInt32

  /// The most frames that a file may have.
  static let unitLimit = 1 << 28

  /// The most samples of a frame: more than any kind of AAC has.
  private static let longestUnit = 1 << 16

  /// The parameters of a stream that MP4 can carry.
  init(_ stream: AudioSpecificConfig, _ timing: StreamTiming) throws(ContainerError) {
    let rate = timing.sampleRate
    guard stream.sampleRate > 0, stream.sampleRate < 1 << 24, rate > 0, rate < 1 << 24 else {
      throw .unsupportedSampleRate(rate)
    }
    guard stream.channelCount > 0 else {
      throw .unsupportedChannelConfiguration(stream.channelConfiguration)
    }
    guard timing.samplesPerUnit <= Self.longestUnit else {
      throw .unsupportedFrameLength(timing.samplesPerUnit)
    }
    guard timing.priming >= 0, timing.priming <= Int(Int32.max) else {
      throw .trimOutsideStream(priming: timing.priming, sampleCount: 0)
    }
    decoderSpecificInfo = stream.bytes
    channelCount = UInt16(clamping: stream.outputChannelCount)
    timescale = UInt64(rate)
    let isHidden = stream.extensionSampleRate != nil && stream.signaling == .implicit
    statedRate = isHidden ? UInt64(stream.sampleRate) : timescale
    samplesPerUnit = UInt64(max(1, timing.samplesPerUnit))
    samplesPerTick = timing.samplesPerTick(of: stream)
    bufferByteCount = UInt32(clamping: max(1, stream.bufferedChannelCount) * 6144 / 8)
  }

  /// Ticks of the track in a frame.
  var ticksPerUnit: UInt64 { samplesPerUnit / samplesPerTick }

  /// Frames in the longest chunk or fragment that does not exceed a second.
  var unitsPerChunk: Int { max(1, Int(timescale / samplesPerUnit)) }

  /// Throws unless there are as many samples in `unitCount` frames.
  func check(_ trim: StreamTrim, unitCount: Int) throws(ContainerError) {
    let total = UInt64(unitCount) &* samplesPerUnit
    guard trim.priming >= 0, trim.priming <= Int(Int32.max), trim.sampleCount >= 0,
      UInt64(trim.priming) + UInt64(trim.sampleCount) <= total
    else { throw .trimOutsideStream(priming: trim.priming, sampleCount: trim.sampleCount) }
  }
}

extension StreamTiming {
  /// Samples in a tick of an MP4 track of this stream: 2 where band replication doubles the rate,
  /// else 1.
  ///
  /// The usual writers count such a track in samples of the core, and some players double what is
  /// to be skipped on that account, whatever the clock is.
  package func samplesPerTick(of stream: AudioSpecificConfig) -> UInt64 {
    sampleRate % 2 == 0 && sampleRate / 2 == stream.sampleRate && samplesPerUnit % 2 == 0
      && samplesPerUnit / 2 == stream.frameLength ? 2 : 1
  }
}
