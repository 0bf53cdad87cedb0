package import AacornCodec

/// Track values derived from its configuration.
struct TrackParameters: Sendable {
  /// The decoder's configuration (AudioSpecificConfig).
  let decoderSpecificInfo: [UInt8]
  /// The number of channels that a decoder outputs.
  let channelCount: UInt16
  /// The sample rate of the decoded audio and timescale of the movie, so that every duration is
  /// exact.
  let timescale: UInt64
  /// The rate that the track states: with implicit band replication the rate of the core, as in the
  /// configuration.
  let statedRate: UInt64
  let samplesPerUnit: UInt64
  let samplesPerTick: UInt64
  /// The decoder's input buffer in bytes: 6144 bits for each channel except the LFE (14496-3,
  /// 4.5.3.1).
  let bufferByteCount: UInt32

  /// The maximum number of frames in a file.
  static let unitLimit = 1 << 28

  /// The maximum number of samples in a frame, above the limit of all AAC types.
  private static let maxSamplesPerUnit = 1 << 16

  /// Creates the parameters of a stream; throws if MP4 cannot carry it.
  init(_ stream: AudioSpecificConfig, _ timing: StreamTiming) throws(ContainerError) {
    let rate = timing.sampleRate
    guard stream.sampleRate > 0, stream.sampleRate < 1 << 24, rate > 0, rate < 1 << 24 else {
      throw .unsupportedSampleRate(rate)
    }
    guard stream.channelCount > 0 else {
      throw .unsupportedChannelConfiguration(stream.channelConfiguration)
    }
    guard timing.samplesPerUnit <= Self.maxSamplesPerUnit else {
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
    bufferByteCount = UInt32(clamping: stream.bufferByteCount)
  }

  var ticksPerUnit: UInt64 { samplesPerUnit / samplesPerTick }

  /// The number of frames in a chunk or fragment of at most a second.
  var unitsPerChunk: Int { max(1, Int(timescale / samplesPerUnit)) }

  /// Throws unless `unitCount` frames contain the samples of `trim`.
  func check(_ trim: StreamTrim, unitCount: Int) throws(ContainerError) {
    let total = UInt64(unitCount) &* samplesPerUnit
    guard trim.priming >= 0, trim.priming <= Int(Int32.max), trim.sampleCount >= 0,
      UInt64(trim.priming) + UInt64(trim.sampleCount) <= total
    else { throw .trimOutsideStream(priming: trim.priming, sampleCount: trim.sampleCount) }
  }
}

extension StreamTiming {
  /// Returns the number of samples per tick of an MP4 track of this stream: 2 where band
  /// replication doubles the rate, else 1.
  ///
  /// Common writers count such a track in samples of the core. Some players therefore double the
  /// skipped samples, whatever the timescale is.
  package func samplesPerTick(of stream: AudioSpecificConfig) -> UInt64 {
    sampleRate % 2 == 0 && sampleRate / 2 == stream.sampleRate && samplesPerUnit % 2 == 0
      && samplesPerUnit / 2 == stream.frameLength ? 2 : 1
  }
}
