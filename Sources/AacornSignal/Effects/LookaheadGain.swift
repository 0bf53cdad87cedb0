/// The gain of a limiter, which is down before a peak comes and smooth all the way.
///
///     wanted ─► least of a window ─► release ─► mean ─► mean ─► gain
///
/// A mean of numbers none of which is above the wanted gain is not above it either. The window is
/// longer than both means together, so that the gain stands still around a peak. Sums are of
/// integers, which neither drift nor depend on the order.
struct LookaheadGain: Sendable {
  private struct Counters: Sendable {
    /// The frame, and the ends of the queue of those that may be the least yet.
    var frame = 0
    var head = 0
    var tail = 0
    /// Behind the release.
    var released: Int64 = LookaheadGain.one
    /// The places in the means' rings, and the sums.
    var place = 0
    var sum: Int64
    var sumOfSums: Int64
  }

  /// A gain of 1, with 30 bits behind the point.
  private static let one: Int64 = 1_073_741_824
  /// How many frames the gain stands still on both sides of a peak.
  private static var stillness: Int { TruePeakMeter.tapCount }

  /// Frames of each mean, and of the window.
  private let meanLength: Int
  private let windowLength: Int
  private let scale: Double
  private var counters: Counters
  /// The frames and wanted gains of the queue, and the rings of the means.
  private var queueFrames: [Int]
  private var queueGains: [Int64]
  private var gains: [Int64]
  private var sums: [Int64]

  /// A gain of 1 so far; its means have so many frames.
  init(meanLength: Int) {
    self.meanLength = meanLength
    windowLength = 2 * meanLength + 2 * Self.stillness
    let length = Int64(meanLength)
    scale = 1 / Double(length * length * Self.one)
    counters = Counters(sum: length * Self.one, sumOfSums: length * length * Self.one)
    // One more, so that a full queue is not an empty one.
    queueFrames = [Int](repeating: 0, count: windowLength + 1)
    queueGains = [Int64](repeating: 0, count: windowLength + 1)
    gains = [Int64](repeating: Self.one, count: meanLength)
    sums = [Int64](repeating: length * Self.one, count: meanLength)
  }

  /// How many frames the sound must be behind the peaks.
  ///
  /// The gain for a frame is a mean over two means' frames, the first of which must know the peaks
  /// of `stillness` frames behind it.
  var lookahead: Int { 2 * meanLength - 1 + Self.stillness }

  /// Forgets all peaks.
  mutating func reset() { self = LookaheadGain(meanLength: meanLength) }

  /// Turns peaks into gains; `release` of the distance is gone after a frame.
  mutating func run(
    _ values: UnsafeMutablePointer<Float>, _ frameCount: Int, ceiling: Float, release: Double
  ) {
    var first = 0
    if isAtRest {
      while first < frameCount {
        if unsafe values[first] > ceiling { break }
        unsafe values[first] = 1
        first &+= 1
      }
      rest(first)
    }
    if first < frameCount {
      unsafe act(values + first, frameCount - first, ceiling, release)
    }
  }

  /// Whether the gain is 1, and all that it is made of.
  private var isAtRest: Bool {
    let full = Int64(meanLength) * Int64(meanLength) * Self.one
    let isEven = counters.released == Self.one && counters.sumOfSums == full
    // The queue rises, and so has this one alone if it is the least.
    return isEven && counters.head != counters.tail && queueGains[counters.head] == Self.one
  }

  /// Lets frames without a peak pass while it is at rest: only places move.
  private mutating func rest(_ frameCount: Int) {
    counters.frame &+= frameCount
    queueFrames[counters.head] = counters.frame &- 1
    counters.place = (counters.place &+ frameCount) % meanLength
  }

  private mutating func act(
    _ values: UnsafeMutablePointer<Float>, _ frameCount: Int, _ ceiling: Float, _ release: Double
  ) {
    var now = counters
    let (windowLength, meanLength, scale) = (self.windowLength, self.meanLength, self.scale)
    let queueLength = windowLength + 1
    precondition(queueFrames.count == queueLength && queueGains.count == queueLength)
    precondition(gains.count == meanLength && sums.count == meanLength)
    // Places are never beyond the lengths checked above.
    unsafe withBuffers { queueFrames, queueGains, gains, sums in
      for index in 0..<frameCount {
        let peak = unsafe values[index]
        let wanted = peak > ceiling ? Int64(Double(ceiling / peak) * Double(Self.one)) : Self.one

        // The queue rises; what is not below the newest can never be the least again.
        while now.head != now.tail {
          let last = now.tail == 0 ? queueLength &- 1 : now.tail &- 1
          if unsafe queueGains[last] < wanted { break }
          now.tail = last
        }
        unsafe queueGains[now.tail] = wanted
        unsafe queueFrames[now.tail] = now.frame
        now.tail = now.tail &+ 1 == queueLength ? 0 : now.tail &+ 1
        if unsafe queueFrames[now.head] <= now.frame &- windowLength {
          now.head = now.head &+ 1 == queueLength ? 0 : now.head &+ 1
        }
        let least = unsafe queueGains[now.head]

        if least <= now.released {
          now.released = least
        } else {
          // At least by one, so that it arrives.
          let step = Int64(Double(least &- now.released) * release)
          now.released = min(least, now.released &+ step &+ 1)
        }

        unsafe now.sum &+= now.released &- gains[now.place]
        unsafe gains[now.place] = now.released
        unsafe now.sumOfSums &+= now.sum &- sums[now.place]
        unsafe sums[now.place] = now.sum
        now.place = now.place &+ 1 == meanLength ? 0 : now.place &+ 1
        unsafe values[index] = Float(Double(now.sumOfSums) * scale)
        now.frame &+= 1
      }
    }
    counters = now
  }

  /// Gives the memory of the queue's frames and gains, and of both means.
  @inline(__always)
  private mutating func withBuffers(
    _ body: (
      UnsafeMutablePointer<Int>, UnsafeMutablePointer<Int64>, UnsafeMutablePointer<Int64>,
      UnsafeMutablePointer<Int64>
    ) -> Void
  ) {
    unsafe queueFrames.withUnsafeMutableBufferPointer { frames in
      unsafe queueGains.withUnsafeMutableBufferPointer { queueGains in
        unsafe gains.withUnsafeMutableBufferPointer { gains in
          unsafe sums.withUnsafeMutableBufferPointer { sums in
            guard let frames = frames.baseAddress, let queueGains = queueGains.baseAddress,
              let gains = gains.baseAddress, let sums = sums.baseAddress
            else { return }
            unsafe body(frames, queueGains, gains, sums)
          }
        }
      }
    }
  }
}
