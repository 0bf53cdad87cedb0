/// Brings sound slowly to a loudness, while it runs: speakers of different distances become equally
/// loud.
///
/// It measures what comes in, as ``LoudnessMeter`` does, in hops of 100 ms. The last three seconds
/// that are not silence tell how loud it is; pauses change nothing. A limiter should follow, since
/// peaks become louder as well.
public struct LoudnessEffect: Sendable {
  /// What it does.
  public struct Settings: Equatable, Sendable {
    /// The loudness that it aims at, in LUFS.
    public var target: Double
    /// The most that it adds or takes away, in decibels.
    public var depth: Double
    /// How fast the gain changes, in decibels per second.
    public var speed: Double
    /// What is softer is a pause, in LUFS.
    public var gate: Double

    /// Settings for speech.
    public init(target: Double = -16, depth: Double = 12, speed: Double = 3, gate: Double = -50) {
      self.target = target
      self.depth = depth
      self.speed = speed
      self.gate = gate
    }
  }

  /// What it does; changes move the gain no faster than the speed.
  public var settings: Settings

  /// The gain at the end of the hop, in decibels.
  public private(set) var decibels = 0.0

  private let channelCount: Int
  private let hopLength: Int
  /// Nil for rates at which the weighting is impossible: then nothing is changed.
  private var weighting: KWeighting?
  /// Frames until the hop and the piece of it end.
  private var hopRest: Int
  private var pieceRest: Int
  private var energy = 0.0
  /// The mean powers of the last hops that were no pauses, as a ring.
  private var powers: [Double]
  private var powerCount = 0
  /// The gain of the next frame, and what every frame of the hop adds to it.
  private var gain = 1.0
  private var step = 0.0

  private static let pieceLength = 1024
  private static let ringLength = 30

  /// The effect for interleaved channels; without a layout they all count the same.
  public init(_ settings: Settings = Settings(), channelCount: Int, sampleRate: Int) {
    let (channelCount, sampleRate) = SampleLimits.nearest(channelCount, sampleRate)
    self.settings = settings
    self.channelCount = channelCount
    hopLength = max(1, sampleRate / 10)
    weighting =
      sampleRate >= KWeighting.lowestRate
      ? KWeighting(
        sampleRate: sampleRate, weights: [Float](repeating: 1, count: channelCount)) : nil
    hopRest = hopLength
    pieceRest = Self.pieceLength
    powers = [Double](repeating: 0, count: Self.ringLength)
  }

  /// None.
  public var latency: Int { 0 }

  /// Changes whole interleaved frames.
  public mutating func process(_ samples: inout MutableSpan<Float>) {
    let frameCount = samples.count / channelCount
    for index in 0..<samples.count { samples[index] = samples[index].heard }
    var first = 0
    while first < frameCount {
      let count = min(frameCount - first, min(hopRest, pieceRest))
      weighting?.process(samples.span, from: first, count: count)
      var place = first * channelCount
      for _ in 0..<count {
        let factor = Float(gain)
        gain += step
        for _ in 0..<channelCount {
          samples[place] *= factor
          place += 1
        }
      }
      first += count
      hopRest -= count
      pieceRest -= count
      if hopRest == 0 || pieceRest == 0 { endPiece() }
      if hopRest == 0 { endHop() }
    }
  }

  /// Forgets all sound; the settings are kept, and reached at once.
  public mutating func reset() {
    weighting?.reset()
    hopRest = hopLength
    pieceRest = Self.pieceLength
    energy = 0
    powerCount = 0
    decibels = 0
    (gain, step) = (1, 0)
  }

  private mutating func endPiece() {
    pieceRest = Self.pieceLength
    let sum = weighting?.takeEnergy() ?? 0
    // What is beyond all numbers must not spoil all the rest.
    if sum.isFinite { energy += Double(sum) } else { weighting?.settle() }
  }

  private mutating func endHop() {
    weighting?.settle()
    let power = energy / Double(hopLength)
    energy = 0
    hopRest = hopLength
    // 10^(−12): far below every gate, and still a number with a logarithm.
    let gate = EffectRange.loudness.nearest(to: settings.gate)
    if power > 1e-12 && LoudnessMeter.loudness(ofPower: power) > gate {
      powers[powerCount % Self.ringLength] = power
      powerCount += 1
    }
    moveGain()
  }

  /// Sets off for the gain at the end of the next hop.
  private mutating func moveGain() {
    let begin = EffectMath.amplitude(decibels)
    if powerCount > 0 {
      let count = min(powerCount, Self.ringLength)
      var sum = 0.0
      for index in 0..<count { sum += powers[index] }
      let loudness = LoudnessMeter.loudness(ofPower: sum / Double(count))
      let depth = min(EffectRange.depth.nearest(to: settings.depth), 60)
      let wanted = EffectRange.loudness.nearest(to: settings.target) - loudness
      let bounded = max(-depth, min(wanted, depth))
      let most = EffectRange.speed.nearest(to: settings.speed) / 10
      decibels += max(-most, min(bounded - decibels, most))
    }
    gain = begin
    step = (EffectMath.amplitude(decibels) - begin) / Double(hopLength)
  }
}
