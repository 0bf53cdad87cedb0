/// How the units of a coded stream map to time, in samples of the decoded audio.
///
/// Band replication outputs twice as many samples as the core has, at twice its rate, and delays
/// them. This type is the only place that deals with that: it answers all questions about samples,
/// seconds or bits of units.
public struct StreamTiming: Equatable, Sendable {
  /// Output samples per second of a decoder.
  public var sampleRate: Int
  /// Output samples per channel for each access unit.
  public var samplesPerUnit: Int
  /// Samples per channel by which the output lags, which a decoder must drop at the start.
  public var priming: Int
  /// Requested bits per second; 0 if the rate varies or is unknown.
  public var nominalBitrate: Int

  /// A timing with these four numbers.
  public init(sampleRate: Int, samplesPerUnit: Int, priming: Int = 0, nominalBitrate: Int = 0) {
    self.sampleRate = sampleRate
    self.samplesPerUnit = samplesPerUnit
    self.priming = priming
    self.nominalBitrate = nominalBitrate
  }

  /// The timing of a stream with this configuration.
  public init(_ stream: AudioSpecificConfig, priming: Int = 0, nominalBitrate: Int = 0) {
    sampleRate = stream.outputSampleRate
    // Band replication at the core's rate is possible; a rate below it is invalid.
    samplesPerUnit = stream.frameLength * max(1, sampleRate / max(1, stream.sampleRate))
    self.priming = priming
    self.nominalBitrate = nominalBitrate
  }

  /// The number of units for this many samples, counting a partial last one; none for no samples.
  public func unitCount(for sampleCount: Int) -> Int {
    sampleCount == 0 ? 0 : (sampleCount + priming + samplesPerUnit - 1) / max(1, samplesPerUnit)
  }

  /// What to cut from the units for this many samples.
  public func trim(of sampleCount: Int) -> StreamTrim {
    if sampleCount == 0 { return StreamTrim(priming: 0, remainder: 0, sampleCount: 0) }
    return StreamTrim(
      priming: priming,
      remainder: unitCount(for: sampleCount) * samplesPerUnit - priming - sampleCount,
      sampleCount: sampleCount)
  }

  /// What to cut from so many units, which may be fewer than the samples take.
  package func trim(of sampleCount: Int, unitCount: Int) -> StreamTrim {
    let total = unitCount * samplesPerUnit
    let delay = min(priming, total)
    let count = min(sampleCount, total - delay)
    return StreamTrim(priming: delay, remainder: total - delay - count, sampleCount: count)
  }

  /// The duration of this many samples, in seconds.
  public func seconds(_ sampleCount: Int) -> Double {
    Double(sampleCount) / Double(max(1, sampleRate))
  }

  /// The duration of this many samples, in whole milliseconds.
  public func milliseconds(_ sampleCount: Int) -> Int { sampleCount * 1000 / max(1, sampleRate) }

  /// The duration of this many samples, in whole nanoseconds.
  public func nanoseconds(_ sampleCount: Int) -> Int64 {
    let (seconds, rest) = sampleCount.quotientAndRemainder(dividingBy: max(1, sampleRate))
    return Int64(seconds) * 1_000_000_000 + Int64(rest) * 1_000_000_000 / Int64(max(1, sampleRate))
  }

  /// The bits per second for this many bytes in this many units.
  public func bitrate(byteCount: Int, unitCount: Int) -> Double {
    Double(byteCount * 8) * Double(sampleRate) / Double(max(1, unitCount * samplesPerUnit))
  }
}
