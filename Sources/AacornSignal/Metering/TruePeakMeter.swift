/// Measures the peak magnitude between the samples (ITU-R BS.1770-4, annex 2).
///
/// A converter draws a curve through the samples, which may rise above all of them. The meter
/// computes three more points between any two samples, with a filter of 48 taps at four times the
/// rate. The peak of a sine up to a third of the rate is accurate to 0.3 dB.
///
/// Nothing is allocated after the start; the same samples give the same peak everywhere.
public struct TruePeakMeter: Sendable {
  /// The number of channels.
  public let channelCount: Int
  /// The peak magnitude of each channel; 1 is full scale.
  public private(set) var peaks: [Float]

  /// Three rows of taps, for the points at ¼, ½ and ¾ between two samples.
  private let taps: [Float]
  /// The last samples of each channel, and the samples of a piece.
  ///
  ///     [ 11 samples before the piece | up to 1024 samples of the piece | 3 unused ]
  private var samples: [Float]

  /// The number of samples that a point between two of them depends on.
  static let tapCount = 12
  private static let history = tapCount - 1
  private static let pieceLength = 1024
  private static let section = history + pieceLength + 3

  /// Creates a meter without any samples; the number of channels is clamped to 1…64.
  public init(channelCount: Int) {
    let channelCount = SampleLimits.channelCount(channelCount)
    self.channelCount = channelCount
    peaks = [Float](repeating: 0, count: channelCount)
    taps = Self.makeTaps()
    samples = [Float](repeating: 0, count: channelCount * Self.section)
  }

  /// The peak magnitude of all channels.
  public var peak: Float { peaks.reduce(0) { $0 > $1 ? $0 : $1 } }

  /// Measures whole frames; an incomplete frame at the end is ignored.
  public mutating func process(_ input: Span<Float>) {
    let frameCount = input.count / channelCount
    var first = 0
    while first < frameCount {
      let count = min(frameCount - first, Self.pieceLength)
      for channel in 0..<channelCount {
        process(input, from: first, count: count, channel: channel)
      }
      first += count
    }
  }

  private mutating func process(_ input: Span<Float>, from first: Int, count: Int, channel: Int) {
    let base = channel * Self.section
    let start = base + Self.history
    var offset = first * channelCount + channel
    precondition(count > 0 && offset + (count - 1) * channelCount < input.count)
    precondition(count <= Self.pieceLength && base + Self.section <= samples.count)
    let (taps, step) = (self.taps, channelCount)
    let peak = unsafe samples.withUnsafeMutableBufferPointer { samples -> Float in
      // All accesses are inside the section and the input, as checked above.
      guard let all = samples.baseAddress else { return 0 }
      for index in start..<start + count {
        unsafe all[index] = input[unchecked: offset]
        offset &+= step
      }
      let peak = unsafe Self.maximum(UnsafePointer(all + base), taps: taps, count: count)
      for index in 0..<Self.history { unsafe all[base + index] = all[base + count + index] }
      return peak
    }
    peaks[channel] = peak > peaks[channel] ? peak : peaks[channel]
  }

  /// Returns the peak magnitude of `count` samples after their history, and of the points between.
  private static func maximum(
    _ samples: UnsafePointer<Float>, taps: UnsafePointer<Float>, count: Int
  ) -> Float {
    var peak = Lanes.zero
    var index = 0
    while index < count {
      let newest = unsafe samples.lanes(index &+ history)
      var maximum = unsafe raise(newest.magnitude, toPointsIn: samples + index, taps)
      if count &- index < 4 {
        // After the last sample there are no points yet.
        for lane in count &- index..<4 { maximum[lane] = 0 }
      }
      peak = peak.raised(to: maximum)
      index &+= 4
    }
    return peak.largest
  }

  /// Returns each magnitude, raised to the magnitudes of the points at ¼, ½ and ¾ after a sample.
  ///
  /// The points of the first lane are in the middle of the first `tapCount` samples, the points of
  /// the next lane one sample later.
  @inline(__always)
  static func raise(
    _ magnitudes: Lanes, toPointsIn samples: UnsafePointer<Float>, _ taps: UnsafePointer<Float>
  ) -> Lanes {
    var (first, second, third) = (Lanes.zero, Lanes.zero, Lanes.zero)
    for tap in 0..<tapCount {
      let here = unsafe samples.lanes(tap)
      unsafe first += here * taps[tap]
      unsafe second += here * taps[tap &+ tapCount]
      unsafe third += here * taps[tap &+ 2 &* tapCount]
    }
    let maximum = magnitudes.raised(to: first.magnitude)
    return maximum.raised(to: second.magnitude).raised(to: third.magnitude)
  }

  /// Returns a Kaiser-windowed sinc at the distances of the points from the samples around them.
  static func makeTaps() -> [Float] {
    let half = Double(tapCount / 2)
    // β² of the Kaiser window; a larger β than 4 reduces ripple, but ends the pass band earlier.
    let square = 16.0
    let scale = 1 / ElementaryFunctions.besselI0(ofSquareRootOf: square)
    var taps: [Float] = []
    for quarter in 1...3 {
      for tap in 0..<tapCount {
        let offset = Double(quarter) / 4 + half - 1 - Double(tap)
        let relative = offset / half
        let window = ElementaryFunctions.besselI0(
          ofSquareRootOf: square * max(0, 1 - relative * relative))
        taps.append(Float(ElementaryFunctions.sinc(offset) * window * scale))
      }
    }
    return taps
  }
}

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
      unsafe Self.copy(
        frames, frameCount: frameCount, channelCount: channelCount, to: all + Self.history)
      for index in stride(from: 0, to: frameCount, by: 4) { unsafe peaks.store(.zero, index) }
      for channel in 0..<channelCount {
        let base = unsafe all + channel * Self.section
        if unsafe Self.maximum(base, Self.history + frameCount) * Self.maxGain > limit {
          unsafe Self.find(base, taps: taps, count: frameCount, above: limit, into: peaks)
        }
        for index in 0..<Self.history { unsafe base[index] = base[frameCount &+ index] }
      }
    }
  }

  /// Copies the samples of each channel to its section, the first of which begins at `target`.
  private static func copy(
    _ frames: UnsafeMutablePointer<Float>, frameCount: Int, channelCount: Int,
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
    _ samples: UnsafePointer<Float>, taps: UnsafePointer<Float>, count: Int, above limit: Float,
    into peaks: UnsafeMutablePointer<Float>
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
