/// How the units of a coded stream map to time, in samples of the sound that a decoder puts out.
///
/// Band replication puts out twice as many samples as the core has, at twice its rate, and delays
/// them. Nobody else needs to know: whoever counts samples, seconds or bits of units asks here.
public struct StreamTiming: Equatable, Sendable {
  /// Samples a second that a decoder puts out.
  public var sampleRate: Int
  /// Samples a channel that a decoder puts out for an access unit.
  public var samplesPerUnit: Int
  /// Samples a channel by which the output lags: what a decoder must drop at the start.
  public var priming: Int
  /// Bits a second that were asked for; 0 where the rate varies or is unknown.
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
    // Band replication at the rate of the core is possible, and a rate below it makes no sense.
    samplesPerUnit = stream.frameLength * max(1, sampleRate / max(1, stream.sampleRate))
    self.priming = priming
    self.nominalBitrate = nominalBitrate
  }

  /// Units that so many samples make, the last one filled up; none for no samples.
  public func unitCount(for sampleCount: Int) -> Int {
    sampleCount == 0 ? 0 : (sampleCount + priming + samplesPerUnit - 1) / max(1, samplesPerUnit)
  }

  /// What to cut from the units that so many samples make.
  public func trim(of sampleCount: Int) -> Trim {
    if sampleCount == 0 { return Trim(priming: 0, remainder: 0, sampleCount: 0) }
    return Trim(
      priming: priming,
      remainder: unitCount(for: sampleCount) * samplesPerUnit - priming - sampleCount,
      sampleCount: sampleCount)
  }

  /// The duration of so many samples, in seconds.
  public func seconds(_ sampleCount: Int) -> Double {
    Double(sampleCount) / Double(max(1, sampleRate))
  }

  /// The duration of so many samples, in whole milliseconds.
  public func milliseconds(_ sampleCount: Int) -> Int { sampleCount * 1000 / max(1, sampleRate) }

  /// The duration of so many samples, in whole nanoseconds.
  public func nanoseconds(_ sampleCount: Int) -> Int64 {
    let (seconds, rest) = sampleCount.quotientAndRemainder(dividingBy: max(1, sampleRate))
    return Int64(seconds) * 1_000_000_000 + Int64(rest) * 1_000_000_000 / Int64(max(1, sampleRate))
  }

  /// The bits a second of so many bytes in so many units.
  public func bitrate(byteCount: Int, unitCount: Int) -> Double {
    Double(byteCount * 8) * Double(sampleRate) / Double(max(1, unitCount * samplesPerUnit))
  }
}
