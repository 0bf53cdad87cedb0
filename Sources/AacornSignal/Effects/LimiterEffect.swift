/// A limiter: keeps true peaks, also those between the samples, below a ceiling.
///
/// It acts equally in all channels. Its latency is a lookahead, in which the gain falls smoothly
/// before a peak. ``TruePeakMeter`` measures peaks of at most 0.1 dB above the ceiling.
public struct LimiterEffect: Sendable {
  /// The settings of a limiter.
  public struct Settings: Equatable, Sendable {
    /// The maximum true peak, in dBFS.
    public var ceiling: Double
    /// The time constant of the recovery after a peak, in milliseconds.
    public var release: Double

    /// Creates settings; the defaults suit any audio.
    public init(ceiling: Double = -1, release: Double = 100) {
      self.ceiling = ceiling
      self.release = release
    }
  }

  /// The settings; see ``EffectRange`` for changes.
  ///
  /// A lower ceiling applies to later input, and is audible after the latency.
  public var settings: Settings {
    didSet { ramp.aim(at: Self.values(settings, ramp.sampleRate)) }
  }

  private var ramp: ParameterRamp
  private var finder: TruePeakFinder
  private var gain: LookaheadGain
  private var delay: FrameDelay
  /// The peaks of a piece, which are replaced by its gains.
  private var values: [Float]

  /// Creates the effect for interleaved channels.
  public init(_ settings: Settings = Settings(), channelCount: Int, sampleRate: Int) {
    self.settings = settings
    ramp = ParameterRamp(channelCount: channelCount, sampleRate: sampleRate) {
      Self.values(settings, $0)
    }
    finder = TruePeakFinder(channelCount: ramp.channelCount)
    // Each of the two means in `LookaheadGain` covers 2 ms.
    gain = LookaheadGain(meanLength: max(8, ramp.sampleRate / 500))
    latency = TruePeakFinder.delay + gain.lookahead
    delay = FrameDelay(frameCount: latency, channelCount: ramp.channelCount)
    values = [Float](repeating: 0, count: TruePeakFinder.pieceLength + 4)
  }

  /// The latency in frames, 4.5 ms.
  public let latency: Int

  /// Processes whole interleaved frames in place.
  public mutating func process(_ samples: inout MutableSpan<Float>) {
    unsafe ramp.forEachPiece(of: &samples, limit: TruePeakFinder.pieceLength) {
      unsafe Self.run(
        $0, settings: $1, values: &values, finder: &finder, gain: &gain, delay: &delay)
    }
  }

  /// Clears all stored audio; the settings are kept and apply immediately.
  public mutating func reset() {
    ramp.jump()
    finder.reset()
    gain.reset()
    delay.reset()
  }

  private static func run(
    _ frames: Frames, settings: SIMD8<Double>, values: inout [Float], finder: inout TruePeakFinder,
    gain: inout LookaheadGain, delay: inout FrameDelay
  ) {
    unsafe values.withUnsafeMutableBufferPointer { values in
      guard let values = values.baseAddress else { return }
      let ceiling = Float(settings[0])
      unsafe finder.run(frames.samples, frames.count, above: ceiling, into: values)
      unsafe gain.run(values, frames.count, ceiling: ceiling, release: settings[1])
      unsafe delay.exchange(frames, gains: values)
    }
  }

  private static func values(_ settings: Settings, _ sampleRate: Int) -> SIMD8<Double> {
    let release = EffectMath.decayFactor(milliseconds: settings.release, sampleRate: sampleRate)
    let ceiling = EffectRange.ceiling.nearest(to: settings.ceiling)
    return SIMD8(Decibels.amplitude(ceiling - margin), 1 - release, 0, 0, 0, 0, 0, 0)
  }

  /// The distance to the ceiling, in decibels, that allows for gains that change within the length
  /// of the true-peak filter.
  private static let margin = 0.02
}

/// The gain of a limiter, which falls before a peak and changes smoothly.
///
///     requested gain ─► minimum of a window ─► release ─► mean ─► mean ─► gain
///
/// The mean of gains that do not exceed the requested gain does not exceed it either. The window is
/// longer than both means together, so that the gain is constant around a peak. Sums are integers,
/// which neither drift nor depend on the order.
struct LookaheadGain: Sendable {
  private struct Counters: Sendable {
    /// The frame, and the ends of the queue of candidates for the minimum.
    var frame = 0
    var head = 0
    var tail = 0
    /// The gain after the release stage.
    var released: Int64 = LookaheadGain.one
    /// The index in the means' rings, and the sums.
    var meanIndex = 0
    var sum: Int64
    var sumOfSums: Int64
  }

  /// A gain of 1, as a fixed-point number with 30 fractional bits.
  private static let one: Int64 = 1_073_741_824
  /// The number of frames with a constant gain on both sides of a peak.
  private static var constantGainCount: Int { TruePeakMeter.tapCount }

  /// The number of frames of each mean, and of the window.
  private let meanLength: Int
  private let windowLength: Int
  private let scale: Double
  private var counters: Counters
  /// The frames and requested gains of the queue, and the rings of the means.
  private var queueFrames: [Int]
  private var queueGains: [Int64]
  private var gains: [Int64]
  private var sums: [Int64]

  /// Creates a gain of 1, with means over `meanLength` frames.
  init(meanLength: Int) {
    self.meanLength = meanLength
    windowLength = 2 * meanLength + 2 * Self.constantGainCount
    let length = Int64(meanLength)
    scale = 1 / Double(length * length * Self.one)
    counters = Counters(sum: length * Self.one, sumOfSums: length * length * Self.one)
    // One element more than the window, to distinguish a full queue from an empty one.
    queueFrames = [Int](repeating: 0, count: windowLength + 1)
    queueGains = [Int64](repeating: 0, count: windowLength + 1)
    gains = [Int64](repeating: Self.one, count: meanLength)
    sums = [Int64](repeating: length * Self.one, count: meanLength)
  }

  /// The number of frames by which the audio must be delayed after the peaks.
  ///
  /// The gain for a frame averages window minimums over the frames of both means. Even the first of
  /// these windows must include the peaks of the `constantGainCount` frames after the frame.
  var lookahead: Int { 2 * meanLength - 1 + Self.constantGainCount }

  mutating func reset() { self = LookaheadGain(meanLength: meanLength) }

  /// Converts peaks to gains.
  ///
  /// A fraction `release` of the distance to the target is covered per frame.
  mutating func run(
    _ values: UnsafeMutablePointer<Float>, _ frameCount: Int, ceiling: Float, release: Double
  ) {
    var first = 0
    if isUnity {
      while first < frameCount {
        if unsafe values[first] > ceiling { break }
        unsafe values[first] = 1
        first &+= 1
      }
      skipFrames(first)
    }
    if first < frameCount {
      unsafe applyGain(
        to: values + first, frameCount: frameCount - first, ceiling: ceiling, release: release)
    }
  }

  /// Whether the gain and all values that it depends on are 1.
  private var isUnity: Bool {
    let full = Int64(meanLength) * Int64(meanLength) * Self.one
    let isEven = counters.released == Self.one && counters.sumOfSums == full
    // The queue is in ascending order, so its first gain is the minimum.
    return isEven && counters.head != counters.tail && queueGains[counters.head] == Self.one
  }

  /// Skips frames without a peak at a gain of 1: only positions advance.
  private mutating func skipFrames(_ frameCount: Int) {
    counters.frame &+= frameCount
    queueFrames[counters.head] = counters.frame &- 1
    counters.meanIndex = (counters.meanIndex &+ frameCount) % meanLength
  }

  private mutating func applyGain(
    to values: UnsafeMutablePointer<Float>, frameCount: Int, ceiling: Float, release: Double
  ) {
    var now = counters
    let (windowLength, meanLength, scale) = (self.windowLength, self.meanLength, self.scale)
    let queueLength = windowLength + 1
    precondition(queueFrames.count == queueLength && queueGains.count == queueLength)
    precondition(gains.count == meanLength && sums.count == meanLength)
    // Indices never exceed the lengths checked above.
    unsafe withBuffers { queueFrames, queueGains, gains, sums in
      for index in 0..<frameCount {
        let peak = unsafe values[index]
        let wanted = peak > ceiling ? Int64(Double(ceiling / peak) * Double(Self.one)) : Self.one

        // The queue is in ascending order. Queued gains that are not below the new one can no
        // longer be the minimum.
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
        let minimum = unsafe queueGains[now.head]

        if minimum <= now.released {
          now.released = minimum
        } else {
          // At least by one, so that the gain reaches the target.
          let step = Int64(Double(minimum &- now.released) * release)
          now.released = min(minimum, now.released &+ step &+ 1)
        }

        unsafe now.sum &+= now.released &- gains[now.meanIndex]
        unsafe gains[now.meanIndex] = now.released
        unsafe now.sumOfSums &+= now.sum &- sums[now.meanIndex]
        unsafe sums[now.meanIndex] = now.sum
        now.meanIndex = now.meanIndex &+ 1 == meanLength ? 0 : now.meanIndex &+ 1
        unsafe values[index] = Float(Double(now.sumOfSums) * scale)
        now.frame &+= 1
      }
    }
    counters = now
  }

  /// Calls `body` with the storage of the queue's frames and gains, and of both means.
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
