/// Measures perceived loudness: ITU-R BS.1770-4, EBU R 128 and EBU Tech 3342.
///
///     var meter = LoudnessMeter(channelCount: 2, sampleRate: 48_000)
///     meter.process(samples.span)
///     // meter.integrated is −23 at the target level of EBU R 128
///
/// The result depends neither on the division of the samples into blocks nor on the platform.
/// Memory does not grow with time, and nothing is allocated after the start.
public struct LoudnessMeter: Sendable {
  /// The number of channels.
  public private(set) var channelCount: Int
  /// Frames per second.
  public private(set) var sampleRate: Int

  /// The K-weighting; nil at rates that are too low for it.
  private var weighting: KWeighting?
  /// The number of frames in the current hop of 10 ms, the number still missing, and the hundredths
  /// of a frame carried to the next hop.
  private var hopLength = 0
  private var remainingHopCount = 0
  private var hopCarry = 0
  private var hopEnergy = 0.0
  /// The number of frames until the squares are added to the hop.
  private var remainingPieceCount = LoudnessMeter.pieceLength
  /// The mean powers of the last hops, as a ring.
  ///
  /// A hop is short enough to detect a sound of 400 ms at any start (EBU Tech 3341, cases 13 and
  /// 14).
  private var hops = [Double](repeating: 0, count: LoudnessMeter.momentaryHops)
  private var hopCount = 0
  /// The mean powers of the last steps of 100 ms, as a ring.
  private var steps = [Double](repeating: 0, count: LoudnessMeter.shortTermSteps)
  private var stepCount = 0
  /// The histograms of blocks of 400 ms for the mean, and of 3 s for the range.
  private var blocks = LoudnessHistogram()
  private var spans = LoudnessHistogram()
  private var maxMomentary = 0.0
  private var maxShortTerm = 0.0

  private static let hopsPerSecond = 100
  private static let hopsPerStep = 10
  private static let momentaryHops = 40
  private static let shortTermSteps = 30
  /// The maximum number of squares that are added in 32 bits.
  private static let pieceLength = 1024

  /// Creates a meter of interleaved channels; without a layout all have equal weight.
  ///
  /// Values out of range are clamped: 1 to 64 channels, 1 Hz to 3.072 MHz.
  public init(channelCount: Int, sampleRate: Int, layout: ChannelLayout? = nil) {
    let (channelCount, sampleRate) = SampleLimits.nearest(channelCount, sampleRate)
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    begin(layout)
  }

  /// Continues with samples of another format; all measurements are kept.
  public mutating func changeFormat(
    channelCount: Int, sampleRate: Int, layout: ChannelLayout? = nil
  ) {
    let (channelCount, sampleRate) = SampleLimits.nearest(channelCount, sampleRate)
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    begin(layout)
  }

  /// Measures whole frames; an incomplete frame at the end is ignored.
  public mutating func process(_ samples: Span<Float>) {
    if weighting == nil { return }
    let frameCount = samples.count / channelCount
    var first = 0
    while first < frameCount {
      let count = min(frameCount - first, min(remainingHopCount, remainingPieceCount))
      weighting?.process(samples, from: first, count: count)
      first += count
      remainingHopCount -= count
      remainingPieceCount -= count
      if remainingHopCount == 0 || remainingPieceCount == 0 { endPiece() }
      if remainingHopCount == 0 { endHop() }
    }
  }

  /// The loudness of the last 400 ms in LUFS, updated every 10 ms; nil for silence or shorter
  /// audio.
  public var momentary: Float? {
    hopCount >= Self.momentaryHops ? Self.audible(lastMomentary) : nil
  }

  /// The loudness of the last 3 s in LUFS, updated every 100 ms; nil for silence or shorter audio.
  public var shortTerm: Float? {
    stepCount >= Self.shortTermSteps ? Self.audible(lastShortTerm) : nil
  }

  /// The integrated loudness in LUFS; nil for silence or audio shorter than 400 ms.
  ///
  /// The blocks overlap. Blocks below −70 LUFS do not count, nor blocks more than 10 LU below the
  /// mean of the others.
  public var integrated: Float? {
    blocks.gatedMean(share: 0.1).map { Float(Self.loudness(ofPower: $0)) }
  }

  /// The loudness range in LU (EBU Tech 3342); nil for silence or audio shorter than 3 s.
  ///
  /// It is the distance between the soft and the loud passages.
  public var range: Float? {
    guard let (low, high) = spans.gatedPercentiles(0.1, 0.95, share: 0.01) else { return nil }
    return Float(high - low)
  }

  /// The maximum loudness of 400 ms in LUFS; nil under the conditions of `integrated`.
  public var maximumMomentary: Float? { Self.audible(maxMomentary) }

  /// The maximum loudness of 3 s in LUFS; nil under the conditions of `range`.
  public var maximumShortTerm: Float? { Self.audible(maxShortTerm) }

  /// Returns the loudness of a weighted power, in LUFS.
  static func loudness(ofPower power: Double) -> Double {
    // 10 · log₁₀ 2.
    -0.691 + 3.010_299_956_639_812 * ElementaryFunctions.preciseLog2(power)
  }

  private static func audible(_ power: Double) -> Float? {
    power > 1e-12 ? Float(loudness(ofPower: power)) : nil
  }
}

extension LoudnessMeter {
  private mutating func begin(_ layout: ChannelLayout?) {
    weighting =
      sampleRate >= KWeighting.lowestRate
      ? KWeighting(sampleRate: sampleRate, weights: Self.weights(channelCount, layout)) : nil
    hopEnergy = 0
    remainingPieceCount = Self.pieceLength
    hopCarry = 0
    hopLength = nextHopLength()
    remainingHopCount = hopLength
  }

  /// Returns the length of the next hop; at rates that 100 does not divide, hops differ by a frame.
  private mutating func nextHopLength() -> Int {
    hopCarry += sampleRate % Self.hopsPerSecond
    let isLonger = hopCarry >= Self.hopsPerSecond
    if isLonger { hopCarry -= Self.hopsPerSecond }
    return sampleRate / Self.hopsPerSecond + (isLonger ? 1 : 0)
  }

  private mutating func endPiece() {
    remainingPieceCount = Self.pieceLength
    let energy = weighting?.takeEnergy() ?? 0
    // NaN and infinity must not affect later measurements.
    if energy.isFinite { hopEnergy += Double(energy) } else { weighting?.clearDecayed() }
  }

  private mutating func endHop() {
    weighting?.clearDecayed()
    hops[hopCount % Self.momentaryHops] = hopEnergy / Double(hopLength)
    hopCount += 1
    hopEnergy = 0
    hopLength = nextHopLength()
    remainingHopCount = hopLength
    if hopCount >= Self.momentaryHops {
      maxMomentary = max(maxMomentary, lastMomentary)
    }
    if hopCount % Self.hopsPerStep == 0 { endStep() }
  }

  private mutating func endStep() {
    var sum = 0.0
    for hop in hopCount - Self.hopsPerStep..<hopCount { sum += hops[hop % Self.momentaryHops] }
    steps[stepCount % Self.shortTermSteps] = sum / Double(Self.hopsPerStep)
    stepCount += 1
    // The blocks of 400 ms for the integrated loudness overlap by three quarters.
    if hopCount >= Self.momentaryHops { blocks.add(lastMomentary) }
    if stepCount >= Self.shortTermSteps {
      let power = lastShortTerm
      spans.add(power)
      maxShortTerm = max(maxShortTerm, power)
    }
  }

  /// The mean power of the last 400 ms; the order of the ring does not matter.
  private var lastMomentary: Double { Self.mean(hops) }

  /// The mean power of the last 3 s.
  private var lastShortTerm: Double { Self.mean(steps) }

  private static func mean(_ powers: [Double]) -> Double {
    var sum = 0.0
    for power in powers { sum += power }
    return sum / Double(powers.count)
  }

  /// Returns the weight of each channel (ITU-R BS.1770-4, tables 3 and 4).
  ///
  /// Channels beside the listener have a higher weight, and the LFE has a weight of 0.
  private static func weights(_ channelCount: Int, _ layout: ChannelLayout?) -> [Float] {
    var weights = [Float](repeating: 1, count: channelCount)
    guard let speakers = layout?.speakers, speakers.count == channelCount else { return weights }
    // Without side loudspeakers, the back ones are the surrounds of 5.1, at 110° rather than 135°.
    let hasSides = speakers.contains(.sideLeft) || speakers.contains(.sideRight)
    for (channel, speaker) in speakers.enumerated() {
      switch speaker {
      case .lowFrequency: weights[channel] = 0
      case .sideLeft, .sideRight: weights[channel] = 1.41
      case .backLeft, .backRight: weights[channel] = hasSides ? 1 : 1.41
      default: break
      }
    }
    return weights
  }
}

/// A histogram of loudness in steps of 0.1 LU from −70 to 30 LUFS.
///
/// The level of a relative gate is known only at the end, and then all blocks are needed again. The
/// histogram stores them in constant memory. It adds up the powers of the blocks in each step, so
/// means are exact.
struct LoudnessHistogram: Sendable {
  private static let stepCount = 1000
  private static let stepsPerUnit = 10.0
  private static let lowest = -70.0
  /// The power of −70 LUFS, below which a block is silence (ITU-R BS.1770-4, annex 1).
  private static let minPower = 1.172_465_304_582_295_6e-7

  private var counts = [Int64](repeating: 0, count: LoudnessHistogram.stepCount)
  private var powers = [Double](repeating: 0, count: LoudnessHistogram.stepCount)

  /// Adds a block with this power, unless it is silence.
  mutating func add(_ power: Double) {
    guard power > Self.minPower else { return }
    let step = Int((LoudnessMeter.loudness(ofPower: power) - Self.lowest) * Self.stepsPerUnit)
    let index = max(0, min(step, Self.stepCount - 1))
    counts[index] += 1
    powers[index] += power
  }

  /// Returns the mean power of the blocks that are not below `share` of the mean of all.
  ///
  /// The result is nil if there are none.
  func gatedMean(share: Double) -> Double? {
    guard let first = firstStep(share: share) else { return nil }
    return mean(from: first)
  }

  /// Returns the loudness at two percentiles; nil if there are no blocks.
  ///
  /// Only blocks that are not below `share` of the mean of all count.
  func gatedPercentiles(_ low: Double, _ high: Double, share: Double) -> (Double, Double)? {
    guard let first = firstStep(share: share) else { return nil }
    return (percentile(low, from: first), percentile(high, from: first))
  }

  private func firstStep(share: Double) -> Int? {
    guard let mean = mean(from: 0) else { return nil }
    let threshold = mean * share
    return (0..<Self.stepCount).first { step in
      counts[step] > 0 && powers[step] >= threshold * Double(counts[step])
    }
  }

  private func mean(from first: Int) -> Double? {
    var count: Int64 = 0
    var power = 0.0
    for step in first..<Self.stepCount {
      count += counts[step]
      power += powers[step]
    }
    return count > 0 ? power / Double(count) : nil
  }

  private func percentile(_ part: Double, from first: Int) -> Double {
    var count: Int64 = 0
    for step in first..<Self.stepCount { count += counts[step] }
    // The rank, in ascending order, of the block nearest to the percentile.
    var rank = Int64(Double(count - 1) * part + 0.5)
    var loudness = Self.lowest
    for step in first..<Self.stepCount where counts[step] > 0 {
      loudness = LoudnessMeter.loudness(ofPower: powers[step] / Double(counts[step]))
      rank -= counts[step]
      if rank < 0 { break }
    }
    return loudness
  }
}
