/// Second-order filters in series, for interleaved channels.
///
/// They run in transposed direct form II and in double precision, which stays exact for corners far
/// below the rate. Two channels run side by side:
///
///     y = b₀x + s₁,  s₁ ← b₁x − a₁y + s₂,  s₂ ← b₂x − a₂y
///
/// Changing coefficients move linearly. All intermediate filters are stable, since second-order
/// filters are stable within a triangle of (a₁, a₂).
struct FilterCascade: Sendable {
  private struct Memory: Sendable {
    var first = SIMD2<Double>.zero
    var second = SIMD2<Double>.zero
    /// The number of frames until the next check for decayed values.
    var framesUntilCheck = FilterCascade.checkInterval
  }

  /// The number of frames between checks for decayed values: checking each frame would take longer
  /// than filtering.
  private static let checkInterval = 16

  private let channelCount: Int
  private let pairCount: Int
  /// The coefficients of each section.
  private var ramps: [ParameterRamp] = []
  /// The states of the pairs of channels, section by section.
  private var memories: [Memory]

  /// Creates filters without history.
  ///
  /// Effects need not clamp their numbers: this type clamps the channels and the rate, and `Biquad`
  /// clamps the rate and the settings.
  init(_ sections: [Biquad], channelCount: Int, sampleRate: Int) {
    self.channelCount = SampleLimits.channelCount(channelCount)
    pairCount = (self.channelCount + 1) / 2
    for section in sections {
      ramps.append(
        ParameterRamp(channelCount: channelCount, sampleRate: sampleRate) { _ in section.factors })
    }
    memories = [Memory](repeating: Memory(), count: sections.count * pairCount)
  }

  mutating func aim(at filter: Biquad, section: Int) { ramps[section].aim(at: filter.factors) }

  /// Clears all stored audio; changing coefficients jump to their targets.
  mutating func reset() {
    for index in ramps.indices { ramps[index].jump() }
    for index in memories.indices { memories[index] = Memory() }
  }

  /// Filters whole frames in place.
  @inline(__always)
  mutating func process(_ samples: inout MutableSpan<Float>) {
    let frameCount = samples.count / channelCount
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      guard let base = samples.baseAddress else { return }
      unsafe run(base, frameCount)
    }
  }

  mutating func run(_ samples: UnsafeMutablePointer<Float>, _ frameCount: Int) {
    var first = 0
    while first < frameCount {
      var count = frameCount - first
      for section in ramps.indices {
        count = min(count, ramps[section].advance(frameCount - first))
      }
      let start = unsafe samples + first * channelCount
      for section in ramps.indices {
        let factors = ramps[section].values
        if factors == Self.identityFactors {
          for pair in 0..<pairCount { memories[section * pairCount + pair] = Memory() }
          continue
        }
        for pair in 0..<pairCount {
          // In the last pair of an odd number of channels, the channel is filtered in both places.
          let partner = 2 * pair + 1 < channelCount ? 1 : 0
          unsafe Self.filter(
            start + 2 * pair, count: count, stride: channelCount, partner: partner,
            factors: factors, memory: &memories[section * pairCount + pair])
        }
      }
      first += count
    }
  }

  /// The coefficients of a filter that passes everything unchanged, and need not run.
  private static var identityFactors: SIMD8<Double> { Biquad().factors }

  private static func filter(
    _ samples: UnsafeMutablePointer<Float>, count: Int, stride: Int, partner: Int,
    factors: SIMD8<Double>, memory: inout Memory
  ) {
    var now = memory
    var offset = 0
    var left = count
    while left > 0 {
      let length = min(left, now.framesUntilCheck)
      if stride == 2 {
        unsafe advance(
          samples + offset, count: length, stride: 2, partner: 1, factors: factors, memory: &now)
      } else {
        unsafe advance(
          samples + offset, count: length, stride: stride, partner: partner, factors: factors,
          memory: &now)
      }
      offset &+= length &* stride
      left &-= length
      now.framesUntilCheck &-= length
      if now.framesUntilCheck == 0 {
        now.framesUntilCheck = checkInterval
        clearDecayed(&now)
      }
    }
    memory = now
  }

  /// Filters frames without a check for decayed values.
  @inline(__always)
  private static func advance(
    _ samples: UnsafeMutablePointer<Float>, count: Int, stride: Int, partner: Int,
    factors: SIMD8<Double>, memory: inout Memory
  ) {
    typealias Pair = SIMD2<Double>
    let (b0, b1, b2) = (
      Pair(repeating: factors[0]), Pair(repeating: factors[1]), Pair(repeating: factors[2])
    )
    let (a1, a2) = (Pair(repeating: factors[3]), Pair(repeating: factors[4]))
    var (first, second) = (memory.first, memory.second)
    var offset = 0
    for _ in 0..<count {
      let x = unsafe Pair(
        Double(samples[offset].sanitized), Double(samples[offset &+ partner].sanitized))
      let y = b0 * x + first
      first = b1 * x + second - a1 * y
      second = b2 * x - a2 * y
      unsafe samples[offset] = Float(y[0])
      unsafe samples[offset &+ partner] = Float(y[1])
      offset &+= stride
    }
    (memory.first, memory.second) = (first, second)
  }

  @inline(__always)
  private static func clearDecayed(_ memory: inout Memory) {
    // Decayed values must not become subnormal, which would only cost time. One of the two state
    // values alone may be small at any time. If only that value were cleared, the other one would
    // ring on.
    let power = memory.first * memory.first + memory.second * memory.second
    let isDecayed = power .< SIMD2(repeating: 1e-50)
    memory.first.replace(with: 0, where: isDecayed)
    memory.second.replace(with: 0, where: isDecayed)
  }
}
