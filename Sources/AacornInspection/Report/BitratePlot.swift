/// The bits of a stream over time, in at most 2048 buckets with an equal number of frames.
///
/// When the buckets run out, neighbors are joined, and each bucket covers twice as many frames.
/// Memory therefore does not grow with the stream.
public struct BitratePlot: Equatable, Sendable {
  /// The number of frames per bucket; the last bucket may have fewer.
  public private(set) var framesPerBucket: Int64 = 1
  /// The bits in each bucket.
  public private(set) var buckets: [Int64] = []
  /// The number of frames in the last bucket.
  public private(set) var lastBucketFrames: Int64 = 0

  /// The maximum number of buckets.
  public static let limit = 2048

  mutating func add(bits: Int64) {
    if buckets.isEmpty || lastBucketFrames == framesPerBucket {
      if buckets.count == Self.limit { joinNeighbors() }
      buckets.append(0)
      lastBucketFrames = 0
    }
    buckets[buckets.count - 1] += bits
    lastBucketFrames += 1
  }

  private mutating func joinNeighbors() {
    for index in 0..<Self.limit / 2 {
      buckets[index] = buckets[2 * index] + buckets[2 * index + 1]
    }
    buckets.removeSubrange(Self.limit / 2..<Self.limit)
    framesPerBucket *= 2
  }
}

/// The mean bitrate, and the extremes over windows of one second.
///
/// A window is the number of frames closest to a second, so a stream of equal frames has equal
/// windows.
struct BitrateMeter: Sendable {
  private var totalBits: Int64 = 0
  private var totalSamples: Int64 = 0
  private var windowBits: Int64 = 0
  private var windowSamples: Int64 = 0
  private var lowest = Double.infinity
  private var highest = 0.0
  private var lastRate = 1

  mutating func add(bits: Int64, samples: Int, sampleRate: Int) {
    lastRate = max(1, sampleRate)
    totalBits += bits
    totalSamples += Int64(samples)
    windowBits += bits
    windowSamples += Int64(samples)
    if windowSamples + Int64(samples) / 2 >= Int64(lastRate) {
      let rate = perSecond(windowBits, windowSamples)
      lowest = min(lowest, rate)
      highest = max(highest, rate)
      windowBits = 0
      windowSamples = 0
    }
  }

  var result: StreamReport.Bitrate {
    guard totalSamples > 0 else { return StreamReport.Bitrate() }
    let mean = perSecond(totalBits, totalSamples)
    let isShort = highest == 0
    // Adding 0.5 rounds without a call to libm, which browsers do not have.
    return StreamReport.Bitrate(
      mean: Int64(mean + 0.5), minimum: Int64((isShort ? mean : lowest) + 0.5),
      maximum: Int64((isShort ? mean : highest) + 0.5))
  }

  private func perSecond(_ bits: Int64, _ samples: Int64) -> Double {
    Double(bits) * Double(lastRate) / Double(samples)
  }
}

/// The decoder buffer needed at a constant input rate (ISO/IEC 14496-3, 4.5.3).
///
/// Let F be the level at the start, R the bits that arrive per frame time, and C(k) the bits of the
/// frames before frame k. The level before frame k is removed is F + kR − C(k), and the level
/// afterwards is F + kR − C(k + 1). The required buffer size is the difference between the highest
/// level before and the lowest level after a removal. R is known only at the end. For any R, both
/// extremes are on the convex hull of the points (k, C), so only the hull is stored. It has a
/// handful of corners for any real stream.
struct BufferEnvelope: Sendable {
  private struct Point {
    var frame: Double
    var bits: Double
  }

  private var below: [Point] = []
  private var above: [Point] = []
  private var frameCount = 0.0
  private var totalBits = 0.0

  /// The maximum number of corners of each hull.
  private static let limit = 2048

  mutating func add(bits: Int64) {
    Self.add(Point(frame: frameCount, bits: totalBits), to: &below, side: 1)
    totalBits += Double(bits)
    Self.add(Point(frame: frameCount, bits: totalBits), to: &above, side: -1)
    frameCount += 1
  }

  /// The required buffer size in bits, at the constant rate that minimizes it.
  ///
  /// This rate is near the mean but not equal to it: at the mean rate, a buffer that is fuller at
  /// the end of a stream than at its start would seem to drift. The size is a convex function of
  /// the rate, so ternary search finds its minimum.
  var required: Int64 {
    guard frameCount > 0 else { return 0 }
    let mean = totalBits / frameCount
    var low = mean * 0.95
    var high = mean * 1.05
    for _ in 0..<80 {
      let third = (high - low) / 3
      if span(rate: low + third) < span(rate: high - third) {
        high -= third
      } else {
        low += third
      }
    }
    // Adding 0.5 rounds without a call to libm, which browsers do not have.
    return Int64(span(rate: low) + 0.5)
  }

  private func span(rate: Double) -> Double {
    var highest = -Double.infinity
    var lowest = Double.infinity
    for point in below { highest = max(highest, point.frame * rate - point.bits) }
    for point in above { lowest = min(lowest, point.frame * rate - point.bits) }
    return highest - lowest
  }

  /// Adds a point at the right end and drops the corners that are no longer on the hull.
  private static func add(_ point: Point, to hull: inout [Point], side: Double) {
    while hull.count >= 2 {
      let middle = hull[hull.count - 1]
      let first = hull[hull.count - 2]
      let turn =
        (middle.frame - first.frame) * (point.bits - first.bits)
        - (middle.bits - first.bits) * (point.frame - first.frame)
      if turn * side > 0 { break }
      hull.removeLast()
    }
    hull.append(point)
    if hull.count > limit {
      // A curve of thousands of corners hardly bends at any of them, so every other one is enough.
      var kept = 0
      for index in stride(from: 0, to: hull.count, by: 2) {
        hull[kept] = hull[index]
        kept += 1
      }
      hull.removeSubrange(kept..<hull.count)
    }
  }
}
