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
      for channel in 0..<channelCount { process(input, first, count, channel) }
      first += count
    }
  }

  private mutating func process(_ input: Span<Float>, _ first: Int, _ count: Int, _ channel: Int) {
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
      let peak = unsafe Self.maximum(UnsafePointer(all + base), taps, count)
      for index in 0..<Self.history { unsafe all[base + index] = all[base + count + index] }
      return peak
    }
    peaks[channel] = peak > peaks[channel] ? peak : peaks[channel]
  }

  /// Returns the peak magnitude of `count` samples after their history, and of the points between.
  private static func maximum(
    _ samples: UnsafePointer<Float>, _ taps: UnsafePointer<Float>, _ count: Int
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
