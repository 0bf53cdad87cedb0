/// Which of a decoder's samples are kept, counted from the first one it puts out.
///
///     0        origin         first                                     end
///     ├ priming ┤ before a seek ┤ what the caller gets ┤ between ┤ …   … ┤ padding
///
/// Most files have one part; one that was joined of others has several, between which lie their
/// paddings and delays. 64 bits, because WebAssembly's Int would last for twelve hours only.
struct SoundCut: Equatable, Sendable {
  /// Samples that are kept.
  struct Part: Equatable, Sendable {
    /// Where they are.
    var samples: Range<Int64>
    /// What the caller numbers the first of them.
    var number: Int64
  }

  /// The parts, in order; at least one.
  private(set) var parts = [Part(samples: 0..<Int64.max, number: 0)]
  /// The first sample that is kept after a seek.
  private(set) var first: Int64 = 0
  /// The first part that does not end before the samples last asked for.
  private var current = 0

  /// Everything is kept.
  init() {}

  /// Cuts what a movie says, at the rate and with the units of the decoder.
  ///
  /// `isWhole` is false if tables may follow that have not been read yet: then only the start of the
  /// sound is certain.
  init?(_ movie: MP4Reader, unitFrameCount: Int, sampleRate: Int, isWhole: Bool) {
    guard let track = movie.track else { return nil }
    var scale = Self.scale(
      unitDuration: movie.sample(at: 0)?.duration ?? 0, unitFrameCount: unitFrameCount,
      timescale: track.timescale, sampleRate: sampleRate)
    // Where a tick is two samples, the file may still tell single ones.
    let isDoubled = scale == (2, 1)
    let heard = movie.heardParts(samplesPerTick: isDoubled ? 2 : 1)
    if isDoubled { scale = (1, 1) }
    // A reader of a pipe has not seen a frame yet when it is asked.
    guard !heard.isEmpty, heard != [0..<0] else { return nil }
    parts.removeAll()
    var number: Int64 = 0
    for range in heard {
      let lower = Self.rescale(range.lowerBound, scale)
      let upper = isWhole ? Self.rescale(range.upperBound, scale) : .max
      parts.append(Part(samples: lower..<max(lower, upper), number: number))
      if !isWhole { break }
      number += upper - lower
    }
  }

  /// The sample that is the caller's number 0.
  var origin: Int64 { parts[0].samples.lowerBound }

  /// The first sample behind all that are kept.
  var end: Int64 { parts[parts.count - 1].samples.upperBound }

  /// How many samples are kept in all, if the end is known.
  var count: Int64? {
    let last = parts[parts.count - 1]
    guard last.samples.upperBound < .max else { return nil }
    return last.number + (last.samples.upperBound - last.samples.lowerBound)
  }

  /// The sample that has this number for the caller; behind the last one, the end.
  func sample(ofNumber number: Int64) -> Int64 {
    for part in parts {
      let offset = number - part.number
      if offset < part.samples.upperBound - part.samples.lowerBound {
        return part.samples.lowerBound + offset
      }
    }
    return end
  }

  /// Keeps nothing before this sample, where a seek continues.
  mutating func begin(at sample: Int64) {
    first = sample
    current = 0
  }

  /// How many of these samples are kept, and the number of the first one; nil if none is.
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

  /// Removes what is not kept of these samples, which are interleaved in `values`.
  func keep(_ samples: Range<Int64>, of values: inout [Float], channelCount: Int) {
    var index = current
    var filled = 0
    while let range = piece(index, of: samples) {
      index += 1
      if range.isEmpty { continue }
      let start = Int(range.lowerBound - samples.lowerBound) * channelCount
      let count = range.count * channelCount
      // Only where something is left out is there anything to move, toward the beginning.
      if start > filled {
        for offset in 0..<count { values[filled + offset] = values[start + offset] }
      }
      filled += count
    }
    values.removeLast(values.count - filled)
  }

  /// What a part has of these samples, possibly nothing; nil behind the last part that could.
  private func piece(_ index: Int, of samples: Range<Int64>) -> Range<Int64>? {
    guard index < parts.count, parts[index].samples.lowerBound < samples.upperBound else {
      return nil
    }
    let part = parts[index].samples
    let lower = max(samples.lowerBound, first, part.lowerBound)
    return lower..<max(lower, min(samples.upperBound, part.upperBound))
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
  private static func rescale(_ ticks: UInt64, _ scale: (samples: Int64, ticks: Int64)) -> Int64 {
    let (whole, rest) = Int64(clamping: ticks).quotientAndRemainder(dividingBy: scale.ticks)
    let (product, isTooLong) = whole.multipliedReportingOverflow(by: scale.samples)
    // Both factors are below 2^32.
    let (part, isTooMuch) = rest.multipliedReportingOverflow(by: scale.samples)
    if isTooLong || isTooMuch { return .max }
    let (sum, overflow) = product.addingReportingOverflow((part + scale.ticks / 2) / scale.ticks)
    return overflow ? .max : sum
  }
}
