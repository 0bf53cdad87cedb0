/// A loudness normalizer: slowly adjusts running audio to a target loudness.
///
/// For example, people at different distances from a microphone become equally loud. The effect
/// measures the input like
/// ``LoudnessMeter``, in hops of 100 ms. The last three seconds without silence determine the
/// loudness; pauses change nothing. A limiter should follow, since peaks become louder as well.
public struct LoudnessEffect: Sendable {
  /// The settings of a loudness normalizer.
  public struct Settings: Equatable, Sendable {
    /// The target loudness, in LUFS.
    public var target: Double
    /// The maximum gain or attenuation, in decibels.
    public var depth: Double
    /// The maximum change of the gain, in decibels per second.
    public var speed: Double
    /// The loudness below which audio counts as a pause, in LUFS.
    public var gate: Double

    /// Creates settings; the defaults suit speech.
    public init(target: Double = -16, depth: Double = 12, speed: Double = 3, gate: Double = -50) {
      self.target = target
      self.depth = depth
      self.speed = speed
      self.gate = gate
    }
  }

  /// The settings; after a change the gain moves no faster than `speed`.
  public var settings: Settings

  /// The gain at the end of the current hop, in decibels.
  public private(set) var decibels = 0.0

  private let channelCount: Int
  private let hopLength: Int
  /// The K-weighting; nil at rates that are too low for it, at which the effect changes nothing.
  private var weighting: KWeighting?
  /// The number of frames until the hop and its current piece end.
  private var remainingHopCount: Int
  private var remainingPieceCount: Int
  private var energy = 0.0
  /// The mean powers of the last hops that were not pauses, as a ring.
  private var powers: [Double]
  private var powerCount = 0
  /// The gain of the next frame, and its change per frame in this hop.
  private var gain = 1.0
  private var step = 0.0

  private static let pieceLength = 1024
  private static let ringLength = 30

  /// Creates the effect for interleaved channels, which all have equal weight.
  public init(_ settings: Settings = Settings(), channelCount: Int, sampleRate: Int) {
    let (channelCount, sampleRate) = SampleLimits.nearest(channelCount, sampleRate)
    self.settings = settings
    self.channelCount = channelCount
    hopLength = max(1, sampleRate / 10)
    weighting =
      sampleRate >= KWeighting.lowestRate
      ? KWeighting(
        sampleRate: sampleRate, weights: [Float](repeating: 1, count: channelCount)) : nil
    remainingHopCount = hopLength
    remainingPieceCount = Self.pieceLength
    powers = [Double](repeating: 0, count: Self.ringLength)
  }

  /// The latency in frames: always 0.
  public var latency: Int { 0 }

  /// Processes whole interleaved frames in place.
  public mutating func process(_ samples: inout MutableSpan<Float>) {
    let frameCount = samples.count / channelCount
    for index in 0..<samples.count { samples[index] = samples[index].sanitized }
    var first = 0
    while first < frameCount {
      let count = min(frameCount - first, min(remainingHopCount, remainingPieceCount))
      weighting?.process(samples.span, from: first, count: count)
      var offset = first * channelCount
      for _ in 0..<count {
        let factor = Float(gain)
        gain += step
        for _ in 0..<channelCount {
          samples[offset] *= factor
          offset += 1
        }
      }
      first += count
      remainingHopCount -= count
      remainingPieceCount -= count
      if remainingHopCount == 0 || remainingPieceCount == 0 { endPiece() }
      if remainingHopCount == 0 { endHop() }
    }
  }

  /// Clears all stored audio; the settings are kept and apply immediately.
  public mutating func reset() {
    weighting?.reset()
    remainingHopCount = hopLength
    remainingPieceCount = Self.pieceLength
    energy = 0
    powerCount = 0
    decibels = 0
    (gain, step) = (1, 0)
  }

  private mutating func endPiece() {
    remainingPieceCount = Self.pieceLength
    let sum = weighting?.takeEnergy() ?? 0
    // An overflow must not affect later measurements.
    if sum.isFinite { energy += Double(sum) } else { weighting?.clearDecayed() }
  }

  private mutating func endHop() {
    weighting?.clearDecayed()
    let power = energy / Double(hopLength)
    energy = 0
    remainingHopCount = hopLength
    // 10^(−12): far below every gate, and still with a valid logarithm.
    let gate = EffectRange.loudness.nearest(to: settings.gate)
    if power > 1e-12 && LoudnessMeter.loudness(ofPower: power) > gate {
      powers[powerCount % Self.ringLength] = power
      powerCount += 1
    }
    moveGain()
  }

  /// Starts a move to the gain at the end of the next hop.
  private mutating func moveGain() {
    let begin = Decibels.amplitude(decibels)
    if powerCount > 0 {
      let count = min(powerCount, Self.ringLength)
      var sum = 0.0
      for index in 0..<count { sum += powers[index] }
      let loudness = LoudnessMeter.loudness(ofPower: sum / Double(count))
      let depth = min(EffectRange.depth.nearest(to: settings.depth), 60)
      let wanted = EffectRange.loudness.nearest(to: settings.target) - loudness
      let bounded = max(-depth, min(wanted, depth))
      let maxChange = EffectRange.speed.nearest(to: settings.speed) / 10
      decibels += max(-maxChange, min(bounded - decibels, maxChange))
    }
    gain = begin
    step = (Decibels.amplitude(decibels) - begin) / Double(hopLength)
  }
}
