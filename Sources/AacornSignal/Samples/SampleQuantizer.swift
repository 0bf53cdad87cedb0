/// Turns samples at full scale ±1 into integers, counts those that do not fit, and dithers.
///
/// Dither is noise of triangular density between −1 and +1 steps, the sum of two even ones. It makes
/// the error of rounding independent of the sound: quiet tones then fade into a steady hiss instead
/// of breaking up. Each channel has a generator of its own that begins the same every time, so the
/// same samples always become the same integers. A sample of exactly 0 stays 0, so that digital
/// silence stays silent.
///
///     sample ─► × 2^(bits − 1) ─► + noise ─► nearest integer ─► within the range
public struct SampleQuantizer: Sendable {
  /// Bits of an integer: 16, 24 or 32.
  public let bitCount: Int
  /// The number of channels.
  public let channelCount: Int
  /// Whether noise is added before rounding.
  public let isDithered: Bool
  /// How many samples so far were beyond full scale; they became the nearest integer there is.
  public private(set) var clippedCount = 0

  private let range: IntegerRange
  /// The state of each channel's generator.
  private var states: [UInt64]
  /// The channel of the next sample.
  private var channel = 0

  /// A quantizer for interleaved samples.
  public init(bitCount: Int, channelCount: Int, isDithered: Bool = false) {
    precondition(bitCount == 16 || bitCount == 24 || bitCount == 32)
    precondition(channelCount > 0)
    self.bitCount = bitCount
    self.channelCount = channelCount
    self.isDithered = isDithered
    range = IntegerRange(bitCount: bitCount)
    states = []
    for channel in 0..<channelCount {
      // Far apart, and no state is the beginning of another one's near future.
      states.append((UInt64(channel) &+ 1) &* 0x9E37_79B9_7F4A_7C15)
    }
  }

  /// Appends the integers for samples, which may begin and end anywhere in a frame.
  ///
  /// Halves are rounded away from zero; NaN becomes 0.
  public mutating func quantize(_ samples: Span<Float>, into integers: inout [Int32]) {
    let first = integers.count
    integers.append(contentsOf: repeatElement(0, count: samples.count))
    var target = integers.mutableSpan
    var clipped = 0
    if isDithered {
      // Taken out of the property, so that the loop works on an array of its own.
      var states: [UInt64] = []
      swap(&states, &self.states)
      for index in 0..<samples.count {
        let sample = samples[index]
        let state = states[channel] &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        states[channel] = state
        channel = channel + 1 == channelCount ? 0 : channel + 1
        let scaled = sample * range.scale
        if range.isBeyond(scaled) { clipped += 1 }
        target[first + index] = sample == 0 ? 0 : range.nearest(scaled + Self.noise(state))
      }
      swap(&states, &self.states)
    } else {
      for index in 0..<samples.count {
        let scaled = samples[index] * range.scale
        if range.isBeyond(scaled) { clipped += 1 }
        target[first + index] = range.nearest(scaled)
      }
    }
    clippedCount += clipped
  }

  /// The difference of two even numbers between 0 and 1, from the upper half of a state, whose bits
  /// have the longest periods.
  private static func noise(_ state: UInt64) -> Float {
    let bits = UInt32(truncatingIfNeeded: state >> 32)
    return Float(Int32(bits >> 16) - Int32(bits & 0xFFFF)) * (1 / 65_536)
  }
}

/// The integers of a number of bits, and what rounds to them.
private struct IntegerRange: Sendable {
  /// What full scale becomes.
  let scale: Float
  /// What is as high as this, or as low, is clipped.
  private let tooHigh: Float
  private let tooLow: Float
  private let lowest: Int32
  private let highest: Int32

  init(bitCount: Int) {
    let limit = Int64(1) << Int64(bitCount - 1)
    scale = Float(limit)
    lowest = Int32(-limit)
    highest = Int32(limit - 1)
    // With 32 bits the half is lost, and only full scale itself is too high.
    tooHigh = scale - 0.5
    // Beyond 2^23 there are no halves; the next number that exists is too low.
    tooLow = bitCount == 16 ? -scale - 0.5 : (-scale).nextDown
  }

  /// Whether the nearest integer does not exist.
  func isBeyond(_ scaled: Float) -> Bool { scaled >= tooHigh || scaled <= tooLow }

  func nearest(_ scaled: Float) -> Int32 {
    guard scaled < tooHigh else { return scaled.isNaN ? 0 : highest }
    guard scaled > tooLow else { return lowest }
    // From 2^23 on every Float is an integer, and a half would be rounded to another one.
    if scaled.magnitude >= 8_388_608 { return Int32(scaled) }
    return Int32(scaled + (scaled < 0 ? -0.5 : 0.5))
  }
}
