import AacornCodec
import AacornSignal

/// The decoder's samples to keep, counted from the first sample that the decoder outputs.
///
///     0        origin         first                                     end
///     ├ priming ┤ before a seek ┤ what the caller gets ┤ between ┤ …   … ┤ padding
///
/// Most files have one part. A file joined from several has several parts, separated by padding and
/// encoder delays. Positions have 64 bits because WebAssembly's 32-bit Int would overflow after
/// twelve hours.
struct SoundCut: Equatable, Sendable {
  /// A range of samples to keep.
  struct Part: Equatable, Sendable {
    /// The position in the decoder's output.
    var samples: Range<Int64>
    /// The caller's number of the first sample.
    var number: Int64
  }

  /// The parts, in order; at least one.
  private(set) var parts = [Part(samples: 0..<Int64.max, number: 0)]
  /// The first sample that is kept after a seek.
  private(set) var first: Int64 = 0
  /// The first part that does not end before the last requested samples.
  private var current = 0

  /// Creates a cut that keeps all samples.
  init() {}

  /// Creates the cut of a movie, at the sample rate and unit length of the decoder.
  ///
  /// `isComplete` is false if more tables may follow. Then only the start of the audio is certain.
  init?(_ movie: MP4Reader, unitFrameCount: Int, sampleRate: Int, isComplete: Bool) {
    guard let track = movie.track else { return nil }
    var scale = Self.scale(
      unitDuration: movie.sample(at: 0)?.duration ?? 0, unitFrameCount: unitFrameCount,
      timescale: track.timescale, sampleRate: sampleRate)
    // Where a tick is two samples, durations are still in single samples.
    let isDoubled = scale == (2, 1)
    let ranges = movie.playableRanges(samplesPerTick: isDoubled ? 2 : 1)
    if isDoubled { scale = (1, 1) }
    // For a pipe, no frame has been read yet, so the range is `0..<0`.
    guard !ranges.isEmpty, ranges != [0..<0] else { return nil }
    parts.removeAll()
    var number: Int64 = 0
    for range in ranges {
      let lower = Self.rescale(range.lowerBound, scale)
      let upper = isComplete ? Self.rescale(range.upperBound, scale) : .max
      parts.append(Part(samples: lower..<max(lower, upper), number: number))
      if !isComplete { break }
      number += upper - lower
    }
  }

  /// The sample with the caller's number 0.
  var origin: Int64 { parts[0].samples.lowerBound }

  /// The position after the last kept sample.
  var end: Int64 { parts[parts.count - 1].samples.upperBound }

  /// The total number of kept samples, if the end is known.
  var count: Int64? {
    let last = parts[parts.count - 1]
    guard last.samples.upperBound < .max else { return nil }
    return last.number + (last.samples.upperBound - last.samples.lowerBound)
  }

  /// Returns the sample with the caller's `number`; past the last one, the end.
  func sample(ofNumber number: Int64) -> Int64 {
    for part in parts {
      let offset = number - part.number
      if offset < part.samples.upperBound - part.samples.lowerBound {
        return part.samples.lowerBound + offset
      }
    }
    return end
  }

  /// Drops all samples before a seek target.
  mutating func begin(at sample: Int64) {
    first = sample
    current = 0
  }

  /// Returns the number of kept samples in a range and the number of the first one, or nil if none
  /// is kept.
  mutating func kept(in samples: Range<Int64>) -> (count: Int, number: Int64)? {
    while current + 1 < parts.count, parts[current].samples.upperBound <= samples.lowerBound {
      current += 1
    }
    var index = current
    var count = 0
    var number: Int64?
    while let range = piece(index, of: samples) {
      if !range.isEmpty {
        count += range.count
        let part = parts[index]
        number = number ?? part.number + (range.lowerBound - part.samples.lowerBound)
      }
      index += 1
    }
    guard let number else { return nil }
    return (count, number)
  }

  /// Removes the samples not kept from `values`, which holds the interleaved samples of the range.
  func keep(_ samples: Range<Int64>, of values: inout [Float], channelCount: Int) {
    var index = current
    var filled = 0
    while let range = piece(index, of: samples) {
      index += 1
      if range.isEmpty { continue }
      let start = Int(range.lowerBound - samples.lowerBound) * channelCount
      let count = range.count * channelCount
      // Samples move, toward the beginning, only if earlier ones were removed.
      if start > filled {
        for offset in 0..<count { values[filled + offset] = values[start + offset] }
      }
      filled += count
    }
    values.removeLast(values.count - filled)
  }

  /// Returns the overlap of a part with these samples, possibly empty; nil past the last
  /// overlapping part.
  private func piece(_ index: Int, of samples: Range<Int64>) -> Range<Int64>? {
    guard index < parts.count, parts[index].samples.lowerBound < samples.upperBound else {
      return nil
    }
    let part = parts[index].samples
    let lower = max(samples.lowerBound, first, part.lowerBound)
    return lower..<max(lower, min(samples.upperBound, part.upperBound))
  }

  /// Returns the ratio of the decoder's samples to the track's ticks.
  ///
  /// A unit of 1024 ticks of the core may become 2048 samples, and vice versa. With any other
  /// ratio, either the clock does not count samples or the first unit is irregular. In these cases,
  /// the ratio of the rates is used.
  private static func scale(
    unitDuration: UInt32, unitFrameCount: Int, timescale: UInt32, sampleRate: Int
  ) -> (samples: Int64, ticks: Int64) {
    let (duration, count) = (Int64(unitDuration), Int64(unitFrameCount))
    if duration == count { return (1, 1) }
    if duration * 2 == count { return (2, 1) }
    if count * 2 == duration && count > 0 { return (1, 2) }
    return timescale > 0 ? (Int64(sampleRate), Int64(timescale)) : (1, 1)
  }

  /// Converts ticks to the nearest number of samples, or `Int64.max` on overflow.
  private static func rescale(_ ticks: UInt64, _ scale: (samples: Int64, ticks: Int64)) -> Int64 {
    let (whole, rest) = Int64(clamping: ticks).quotientAndRemainder(dividingBy: scale.ticks)
    let (product, isTooLong) = whole.multipliedReportingOverflow(by: scale.samples)
    // Both factors are below 2³², but their product may overflow.
    let (part, isTooMuch) = rest.multipliedReportingOverflow(by: scale.samples)
    if isTooLong || isTooMuch { return .max }
    let (sum, overflow) = product.addingReportingOverflow((part + scale.ticks / 2) / scale.ticks)
    return overflow ? .max : sum
  }
}

/// Positions and seeking.
extension CodedAudioReader {
  /// The total number of frames, if the file specifies it; nil before the format is reported.
  public var frameCount: Int? {
    guard format != nil else { return nil }
    if let count = cut.count { return Int(clamping: count) }
    guard isLengthKnown, let movie = file.movie else { return nil }
    let all = Int64(movie.completeUnitCount) * Int64(unitFrameCount)
    return Int(clamping: max(0, all - cut.origin))
  }

  /// The ranges of the decoder's output that are played, in samples; valid once the format is
  /// reported.
  ///
  /// In a stream without a known end, the last range ends at `Int64.max`.
  package var playableRanges: [Range<Int64>] { cut.parts.map { $0.samples } }

  /// The number of units to decode before a seek target, so that the target sounds the same as in
  /// sequential decoding.
  ///
  /// The overlap of transforms needs one unit. Tools that refer to earlier units, such as
  /// prediction, need more. So does band replication, because its header and envelopes may refer to
  /// earlier units.
  private var leadCount: Int {
    unitFrameCount > (configuration?.frameLength ?? 0) ? 6 : 3
  }

  /// Seeks to a frame of an MP4 file whose format has been reported.
  ///
  /// - Returns: Whether the seek is possible. If not, the position is unchanged.
  public mutating func seek(toFrame frame: Int) -> Bool {
    let unitLength = Int64(unitFrameCount)
    guard unitLength > 0 else { return false }
    let target = cut.sample(ofNumber: Int64(max(0, frame)))
    let unit = Int(clamping: max(0, target / unitLength - Int64(leadCount)))
    guard file.seek(toUnit: unit) else { return false }
    decoder?.reset(atUnit: unit)
    stage = .reading
    waiting = nil
    search.cancel()
    heldCount = 0
    newFormat = nil
    concealedPosition = nil
    newFrameCount = 0
    nextIndex = unit
    position = Int64(unit) * unitLength
    cut.begin(at: target)
    return true
  }
}
