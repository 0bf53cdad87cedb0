import AacornCodec

/// Which of a decoder's samples are kept, counted from the first one it puts out.
///
///     0        origin         first                     end
///     ├ priming ┤ before a seek ┤ what the caller gets   ┤ padding
///
/// 64 bits, because WebAssembly's Int would last for twelve hours only.
struct SoundCut: Equatable, Sendable {
  /// The sample that is the caller's number 0.
  var origin: Int64 = 0
  /// The first sample that is kept.
  var first: Int64 = 0
  /// The first sample behind those that are kept.
  var end = Int64.max

  /// Everything is kept.
  init() {}

  /// Cuts what a movie says, at the rate and with the units of the decoder.
  ///
  /// `isWhole` is false if tables may follow that have not been read yet: then only the start of the
  /// sound is certain.
  init?(_ movie: MP4Reader, unitFrameCount: Int, sampleRate: Int, isWhole: Bool) {
    guard let trim = movie.trim, let track = movie.track else { return nil }
    // A reader of a pipe has not seen a frame yet when it is asked.
    if trim == StreamTrim(priming: 0, remainder: 0, sampleCount: 0) { return nil }
    let scale = Self.scale(
      unitDuration: movie.sample(at: 0)?.duration ?? 0, unitFrameCount: unitFrameCount,
      timescale: track.timescale, sampleRate: sampleRate)
    // Some encoders count the delay of the core alone.
    let delay = Self.countsCoreOnly(movie, trim, scale) ? Self.replicationDelay : 0
    origin = Self.rescale(trim.priming, scale) + delay
    first = origin
    if isWhole {
      let (sum, overflow) = trim.priming.addingReportingOverflow(trim.sampleCount)
      end = overflow ? .max : Self.rescale(sum, scale)
      if end < .max - delay { end += delay }
    }
  }

  /// Samples by which band replication is later than the core.
  private static let replicationDelay: Int64 = 962
  /// The delay of Apple's encoders, in samples of the core.
  private static let corePriming = 2112

  /// Whether the priming leaves out what band replication adds: so do the iTunSMPB tags of Apple's
  /// encoders, which can be told by their constant delay; those of others count all of it.
  private static func countsCoreOnly(
    _ movie: MP4Reader, _ trim: StreamTrim, _ scale: (samples: Int64, ticks: Int64)
  ) -> Bool {
    scale == (2, 1) && movie.gaplessTag != nil && trim.priming == corePriming
      && movie.track?.edits.isEmpty == true
  }

  /// How many of the decoder's samples so many of the track's ticks are.
  ///
  /// A unit of the core's 1024 ticks may become 2048 samples, and the other way round; other ratios
  /// mean a clock that does not count samples, or an odd first unit, and then the rates decide.
  private static func scale(
    unitDuration: UInt32, unitFrameCount: Int, timescale: UInt32, sampleRate: Int
  ) -> (samples: Int64, ticks: Int64) {
    let (duration, count) = (Int64(unitDuration), Int64(unitFrameCount))
    if duration == count { return (1, 1) }
    if duration * 2 == count { return (2, 1) }
    if count * 2 == duration && count > 0 { return (1, 2) }
    return timescale > 0 ? (Int64(sampleRate), Int64(timescale)) : (1, 1)
  }

  /// The nearest number of samples; beyond what 64 bits hold, the largest.
  private static func rescale(_ ticks: Int, _ scale: (samples: Int64, ticks: Int64)) -> Int64 {
    let (whole, rest) = Int64(ticks).quotientAndRemainder(dividingBy: scale.ticks)
    let (product, isTooLong) = whole.multipliedReportingOverflow(by: scale.samples)
    // Both factors are below 2^32.
    let (part, isTooMuch) = rest.multipliedReportingOverflow(by: scale.samples)
    if isTooLong || isTooMuch { return .max }
    let (sum, overflow) = product.addingReportingOverflow((part + scale.ticks / 2) / scale.ticks)
    return overflow ? .max : sum
  }
}
