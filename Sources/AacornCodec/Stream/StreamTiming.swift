/// The mapping between the units of a coded stream and time, in samples of the decoded audio.
///
/// Band replication outputs two samples for each core sample, at twice the core's rate, and delays
/// them. Only this type handles both. It converts between units, samples, seconds and bits.
/// Results that do not fit in an integer are clamped.
public struct StreamTiming: Equatable, Sendable {
  /// The sampling rate of a decoder's output, in hertz.
  public var sampleRate: Int
  /// Output samples per channel for each access unit.
  public var samplesPerUnit: Int
  /// Samples per channel by which the output lags, which a decoder must drop at the start.
  public var priming: Int
  /// Requested bits per second; 0 if the rate varies or is unknown.
  public var nominalBitrate: Int

  /// The delay of band replication after the core, in output samples.
  package static var replicationDelay: Int { 962 }

  /// Creates a timing with these four numbers.
  public init(sampleRate: Int, samplesPerUnit: Int, priming: Int = 0, nominalBitrate: Int = 0) {
    self.sampleRate = sampleRate
    self.samplesPerUnit = samplesPerUnit
    self.priming = priming
    self.nominalBitrate = nominalBitrate
  }

  /// Creates the timing of a stream with this configuration.
  public init(_ stream: AudioSpecificConfig, priming: Int = 0, nominalBitrate: Int = 0) {
    sampleRate = stream.outputSampleRate
    // The quotient is 2 with band replication, or 1 if its output has the core's rate. An output
    // rate below the core's is invalid, and also results in 1.
    samplesPerUnit = Self.product(
      stream.frameLength, max(1, sampleRate / max(1, stream.sampleRate)))
    self.priming = priming
    self.nominalBitrate = nominalBitrate
  }

  /// Returns the number of units for this many samples, including a partial last one.
  ///
  /// It is 0 if there are no samples.
  public func unitCount(for sampleCount: Int) -> Int {
    if sampleCount <= 0 { return 0 }
    let (count, rest) = Self.sum(sampleCount, priming)
      .quotientAndRemainder(dividingBy: max(1, samplesPerUnit))
    return max(0, rest > 0 ? count + 1 : count)
  }

  /// Returns the trim of a stream with this many input samples.
  public func trim(of sampleCount: Int) -> StreamTrim {
    if sampleCount <= 0 { return StreamTrim(priming: 0, remainder: 0, sampleCount: 0) }
    return StreamTrim(
      priming: priming,
      remainder: Self.difference(
        Self.difference(Self.product(unitCount(for: sampleCount), samplesPerUnit), priming),
        sampleCount),
      sampleCount: sampleCount)
  }

  /// Returns the trim of the first `unitCount` units, which may be fewer than the samples need.
  package func trim(of sampleCount: Int, unitCount: Int) -> StreamTrim {
    let total = unitCount * samplesPerUnit
    let delay = min(priming, total)
    let count = min(sampleCount, total - delay)
    return StreamTrim(priming: delay, remainder: total - delay - count, sampleCount: count)
  }

  /// Returns the duration of this many samples, in seconds.
  public func seconds(_ sampleCount: Int) -> Double {
    Double(sampleCount) / Double(max(1, sampleRate))
  }

  /// Returns the duration of this many samples, in whole milliseconds.
  public func milliseconds(_ sampleCount: Int) -> Int {
    Int(clamping: duration(sampleCount, partsPerSecond: 1000))
  }

  /// Returns the duration of this many samples, in whole nanoseconds.
  public func nanoseconds(_ sampleCount: Int) -> Int64 {
    duration(sampleCount, partsPerSecond: 1_000_000_000)
  }

  /// Returns the bits per second for this many bytes in this many units.
  public func bitrate(byteCount: Int, unitCount: Int) -> Double {
    let sampleCount = Double(unitCount) * Double(samplesPerUnit)
    return Double(byteCount) * 8 * Double(sampleRate) / max(1, sampleCount)
  }

  /// Returns the duration of `sampleCount` samples, in units of 1/`partsPerSecond` s.
  private func duration(_ sampleCount: Int, partsPerSecond: Int64) -> Int64 {
    let rate = Int64(max(1, sampleRate))
    let (seconds, rest) = Int64(sampleCount).quotientAndRemainder(dividingBy: rate)
    return Self.sum(
      Self.product(seconds, partsPerSecond), Self.product(rest, partsPerSecond) / rate)
  }

  private static func product<Number: FixedWidthInteger>(_ a: Number, _ b: Number) -> Number {
    let (product, overflow) = a.multipliedReportingOverflow(by: b)
    return overflow ? ((a < 0) == (b < 0) ? .max : .min) : product
  }

  private static func sum<Number: FixedWidthInteger>(_ a: Number, _ b: Number) -> Number {
    let (sum, overflow) = a.addingReportingOverflow(b)
    return overflow ? (b < 0 ? .min : .max) : sum
  }

  private static func difference(_ a: Int, _ b: Int) -> Int {
    let (difference, overflow) = a.subtractingReportingOverflow(b)
    return overflow ? (b < 0 ? .max : .min) : difference
  }
}
