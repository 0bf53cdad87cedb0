/// Finds the true peak between each frame and the next one, with the filter of ``TruePeakMeter``.
struct TruePeakFinder: Sendable {
  /// The delay in frames: the interpolated points are in the middle of the filter.
  static var delay: Int { TruePeakMeter.tapCount / 2 }
  /// The maximum number of frames per call.
  static let pieceLength = 256

  private static let history = TruePeakMeter.tapCount - 1
  private static let section = history + pieceLength + 4

  private let channelCount: Int
  private let taps: [Float]
  /// The last samples of each channel, and the samples of a piece.
  ///
  ///     [ 11 samples before the piece | up to 256 samples of the piece | 4 unused ]
  private var samples: [Float]

  /// Creates a finder in the state after silence.
  init(channelCount: Int) {
    self.channelCount = channelCount
    taps = TruePeakMeter.makeTaps()
    samples = [Float](repeating: 0, count: channelCount * Self.section)
  }

  mutating func reset() {
    for index in samples.indices { samples[index] = 0 }
  }

  /// Writes the peaks of the loudest channel; `peaks` must have room for four more than a piece.
  ///
  /// Invalid samples become silence. If no peak can exceed `limit`, the written values may be lower
  /// than the peaks.
  mutating func run(
    _ frames: UnsafeMutablePointer<Float>, _ frameCount: Int, above limit: Float,
    into peaks: UnsafeMutablePointer<Float>
  ) {
    precondition(frameCount <= Self.pieceLength)
    let (taps, channelCount) = (self.taps, self.channelCount)
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      guard let all = samples.baseAddress else { return }
      unsafe Self.copy(frames, frameCount, channelCount, to: all + Self.history)
      for index in stride(from: 0, to: frameCount, by: 4) { unsafe peaks.store(.zero, index) }
      for channel in 0..<channelCount {
        let base = unsafe all + channel * Self.section
        if unsafe Self.maximum(base, Self.history + frameCount) * Self.maxGain > limit {
          unsafe Self.find(base, taps, frameCount, above: limit, into: peaks)
        }
        for index in 0..<Self.history { unsafe base[index] = base[frameCount &+ index] }
      }
    }
  }

  /// Copies the samples of each channel to its section, the first of which begins at `target`.
  private static func copy(
    _ frames: UnsafeMutablePointer<Float>, _ frameCount: Int, _ channelCount: Int,
    to target: UnsafeMutablePointer<Float>
  ) {
    var first = 0
    if channelCount == 2 {
      while first &+ 4 <= frameCount {
        let here = unsafe frames + 2 &* first
        let (early, late) = unsafe (here.lanes(0).sanitized, here.lanes(4).sanitized)
        unsafe here.store(early, 0)
        unsafe here.store(late, 4)
        unsafe target.store(Lanes(lowHalf: early.evenHalf, highHalf: late.evenHalf), first)
        unsafe target.store(Lanes(lowHalf: early.oddHalf, highHalf: late.oddHalf), section &+ first)
        first &+= 4
      }
    }
    for channel in 0..<channelCount {
      let section = unsafe target + channel &* section
      var offset = first &* channelCount &+ channel
      for index in first..<frameCount {
        let sample = unsafe frames[offset].sanitized
        unsafe frames[offset] = sample
        unsafe section[index] = sample
        offset &+= channelCount
      }
    }
  }

  /// Returns the peak magnitude of samples, possibly including up to three samples after them.
  private static func maximum(_ samples: UnsafePointer<Float>, _ count: Int) -> Float {
    var maximum = Lanes.zero
    var index = 0
    while index < count {
      maximum = unsafe maximum.raised(to: samples.lanes(index).magnitude)
      index &+= 4
    }
    return maximum.largest
  }

  /// The maximum sum of the taps' magnitudes, with a margin.
  ///
  /// No interpolated point exceeds the peak magnitude of the samples by a larger factor.
  private static let maxGain: Float = 2

  private static func find(
    _ samples: UnsafePointer<Float>, _ taps: UnsafePointer<Float>, _ count: Int,
    above limit: Float, into peaks: UnsafeMutablePointer<Float>
  ) {
    var index = 0
    while index < count {
      // All samples that the points of the next four frames depend on.
      let (one, two) = unsafe (samples.lanes(index), samples.lanes(index &+ 4))
      let (three, four) = unsafe (samples.lanes(index &+ 8), samples.lanes(index &+ history))
      var around = one.magnitude.raised(to: two.magnitude)
      around = around.raised(to: three.magnitude).raised(to: four.magnitude)
      let before = unsafe samples.lanes(index &+ delay &- 1)
      let after = unsafe samples.lanes(index &+ delay)
      var maximum = before.magnitude.raised(to: after.magnitude)
      if around.largest * maxGain > limit {
        maximum = unsafe TruePeakMeter.raise(maximum, toPointsIn: samples + index, taps)
      }
      unsafe peaks.store(maximum.raised(to: peaks.lanes(index)), index)
      index &+= 4
    }
  }
}
