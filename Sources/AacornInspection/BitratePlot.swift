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

  init() {}

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
