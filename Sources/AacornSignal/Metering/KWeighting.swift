/// The frequency weighting of loudness: a high shelf that models the head, and a high-pass filter.
///
/// ITU-R BS.1770-4, annex 1.
///
/// The recommendation lists the coefficients of two second-order sections for 48 kHz. They are
/// bilinear transforms of analog sections, from which this code derives the sections for every
/// other rate. Each section runs as two integrators s₁ and s₂, which stay exact in 32 bits for
/// corners far below the rate. With g = tan(πf₀/rate), k = 1/Q and a₁ = 1/(1 + g(g + k)),
///
///     v₁ = a₁s₁ + a₁g(x − s₂),  v₂ = s₂ + a₁g s₁ + a₁g²(x − s₂),  s₁ ← 2v₁ − s₁,  s₂ ← 2v₂ − s₂
///
/// v₁ is the band-pass part of x, v₂ the low-pass part, and x − kv₁ − v₂ the high-pass part. Four
/// channels run side by side.
struct KWeighting: Sendable {
  /// A second-order analog section at a sampling rate.
  private struct Section: Sendable {
    var damping: Double
    /// tan(πf₀/rate).
    var corner: Double

    init(frequency: Double, quality: Double, sampleRate: Int) {
      damping = 1 / quality
      corner = KWeighting.tangent(frequency, sampleRate)
    }

    /// a₁, a₁g and a₁g².
    var steps: (Float, Float, Float) {
      let first = 1 / (1 + corner * (corner + damping))
      return (Float(first), Float(first * corner), Float(first * corner * corner))
    }
  }

  /// The factors, shared by all channels.
  private struct Factors: Sendable {
    var shelf: (Float, Float, Float)
    var pass: (Float, Float, Float)
    var shelfHigh: Float
    var shelfBand: Float
    var shelfLow: Float
    var passDamping: Float
    var gain: Float
  }

  /// The sums of squares of four channels, and their integrators in both sections.
  private struct Memory: Sendable {
    var squares = Lanes.zero
    var shelf = Integrators()
    var pass = Integrators()
  }

  /// The integrators s₁ and s₂ of four channels.
  private struct Integrators: Sendable {
    private var first = Lanes.zero
    private var second = Lanes.zero

    /// Advances by one sample of each channel; returns v₁ and v₂.
    @inline(__always)
    mutating func advance(
      _ x: Lanes, _ steps: (Float, Float, Float)
    ) -> (band: Lanes, low: Lanes) {
      let rest = x - second
      let band = first * steps.0 + rest * steps.1
      let step = first * steps.1 + rest * steps.2
      let low = second + step
      first = band + band - first
      second = low + step
      return (band, low)
    }

    /// Clears values that are NaN, or so small that they would become subnormal.
    mutating func clearDecayed() {
      first = Self.clearingDecayed(first)
      second = Self.clearingDecayed(second)
    }

    private static func clearingDecayed(_ value: Lanes) -> Lanes {
      let size = value.magnitude
      let isKept = (size .>= Lanes(repeating: 1e-15)) .& (size .<= Lanes(repeating: 1e15))
      return Lanes.zero.replacing(with: value, where: isKept)
    }
  }

  /// The minimum rate, in hertz; at lower rates the corner of the shelf is too close to half the
  /// rate.
  static let lowestRate = 4000

  /// The amplitudes of the shelf far above its corner, and at it.
  private static let highGain = 1.584_864_701_130_855_6
  private static let cornerGain = 1.258_720_930_232_562
  /// The gain of both sections together for 997 Hz at a rate of 48 kHz; `gain` makes it equal at
  /// every other rate.
  ///
  /// The constant −0.691 in the loudness formula compensates for it.
  private static let referenceGain = 1.082_806_127_588_411_8
  private static let referenceFrequency = 997.0

  private let channelCount: Int
  private let factors: Factors
  /// The weight of each channel's power, in groups of four.
  private let weights: [Lanes]
  private var memories: [Memory]

  /// Creates filters for interleaved channels with these weights of their powers.
  init(sampleRate: Int, weights: [Float]) {
    precondition(sampleRate >= Self.lowestRate && !weights.isEmpty)
    channelCount = weights.count
    factors = Self.factors(sampleRate)
    let groupCount = (weights.count + 3) / 4
    var groups = [Lanes](repeating: .zero, count: groupCount)
    for (channel, weight) in weights.enumerated() { groups[channel / 4][channel % 4] = weight }
    self.weights = groups
    memories = [Memory](repeating: Memory(), count: groupCount)
  }

  /// Filters `count` frames from `first` on, and adds their squares.
  mutating func process(_ samples: Span<Float>, from first: Int, count: Int) {
    precondition(first >= 0 && count >= 0)
    precondition((first + count) * channelCount <= samples.count)
    unsafe samples.withUnsafeBufferPointer { samples in
      guard count > 0, let base = samples.baseAddress else { return }
      for group in 0..<weights.count {
        let start = first * channelCount + 4 * group
        unsafe Self.run(
          base + start, count: count, stride: channelCount,
          laneCount: min(4, channelCount - 4 * group), factors: factors, memory: &memories[group])
      }
    }
  }

  /// Returns the weighted sum of the squares since the last call.
  ///
  /// Call it at least every few thousand frames, so that 32 bits suffice for the sum.
  mutating func takeEnergy() -> Float {
    var energy: Float = 0
    for group in 0..<weights.count {
      energy += (memories[group].squares * weights[group]).total
      memories[group].squares = .zero
    }
    return energy
  }

  /// Clears values that would decay endlessly; call it occasionally.
  mutating func clearDecayed() {
    for group in 0..<memories.count {
      memories[group].shelf.clearDecayed()
      memories[group].pass.clearDecayed()
    }
  }

  mutating func reset() {
    for group in 0..<memories.count { memories[group] = Memory() }
  }

  /// Filters up to four channels and adds the squares of each.
  private static func run(
    _ samples: UnsafePointer<Float>, count: Int, stride: Int, laneCount: Int, factors: Factors,
    memory: inout Memory
  ) {
    // Lanes without a channel repeat the first one, with a weight of zero.
    let (lane1, lane2) = (laneCount > 1 ? 1 : 0, laneCount > 2 ? 2 : 0)
    let lane3 = laneCount > 3 ? 3 : 0
    var (shelf, pass) = (memory.shelf, memory.pass)
    var squares = memory.squares
    var offset = 0
    for _ in 0..<count {
      let x = unsafe Lanes(
        samples[offset], samples[offset &+ lane1], samples[offset &+ lane2],
        samples[offset &+ lane3])
      offset &+= stride

      let shelved = shelf.advance(x, factors.shelf)
      let upper = x * factors.shelfHigh + shelved.band * factors.shelfBand
      let y = upper + shelved.low * factors.shelfLow
      let passed = pass.advance(y, factors.pass)
      let lower = passed.band * factors.passDamping + passed.low
      let z = (y - lower) * factors.gain
      squares += z * z
    }
    (memory.squares, memory.shelf, memory.pass) = (squares, shelf, pass)
  }
}

// MARK: - Coefficients

extension KWeighting {
  private static func factors(_ sampleRate: Int) -> Factors {
    let shelf = Section(
      frequency: 1681.974_450_955_533, quality: 0.707_175_236_955_419_6, sampleRate: sampleRate)
    let pass = Section(
      frequency: 38.135_470_876_024_44, quality: 0.500_327_037_323_877_3, sampleRate: sampleRate)
    let reference = tangent(referenceFrequency, sampleRate)
    let shelfPart = shelfPower(reference / shelf.corner, shelf)
    let power = shelfPart * passPower(reference / pass.corner, pass)
    return Factors(
      shelf: shelf.steps, pass: pass.steps, shelfHigh: Float(highGain),
      shelfBand: Float(shelf.damping * (cornerGain - highGain)), shelfLow: Float(1 - highGain),
      passDamping: Float(pass.damping), gain: Float(referenceGain / power.squareRoot()))
  }

  /// Returns |H|² of the shelf (H∞s² + H₀ks + 1)/(s² + ks + 1) at s = ix.
  private static func shelfPower(_ x: Double, _ section: Section) -> Double {
    let square = x * x
    let damped = section.damping * section.damping * square
    let above = (1 - highGain * square) * (1 - highGain * square)
    let below = (1 - square) * (1 - square)
    return (above + cornerGain * cornerGain * damped) / (below + damped)
  }

  /// Returns |H|² of the high-pass filter s²/(s² + ks + 1) at s = ix.
  private static func passPower(_ x: Double, _ section: Section) -> Double {
    let square = x * x
    let damped = section.damping * section.damping * square
    return square * square / ((1 - square) * (1 - square) + damped)
  }

  /// Returns tan(πf/rate) for frequencies below half the rate.
  private static func tangent(_ frequency: Double, _ sampleRate: Int) -> Double {
    let (sine, cosine) = ElementaryFunctions.sinCosPi(frequency / Double(sampleRate))
    return sine / cosine
  }
}
