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
