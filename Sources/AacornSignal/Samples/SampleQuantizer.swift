/// Converts samples with full scale ±1 to integers, counts clipped ones, and dithers.
///
/// Dither is noise of triangular density between −1 and +1 steps, the sum of two uniform ones. It
/// makes the rounding error independent of the audio: quiet tones fade into a steady hiss instead
/// of breaking up. Four generators alternate, sample by sample, with fixed initial states. So the
/// same samples always become the same integers, in pieces of any length. A sample of exactly 0
/// stays 0, so that digital silence stays silent.
///
///     sample ─► × 2^(bits − 1) ─► + noise ─► nearest integer ─► within the range
public struct SampleQuantizer: Sendable {
  /// The number of bits of an integer: 16, 24 or 32.
  public let bitCount: Int
  /// The number of channels.
  public let channelCount: Int
  /// Whether noise is added before rounding.
  public let isDithered: Bool
  /// The number of samples beyond full scale; they became the nearest available integer.
  public private(set) var clippedCount = 0

  private let range: IntegerRange
  private var noise = DitherNoise()

  /// Creates a quantizer for interleaved samples.
  ///
  /// Values out of range are changed to the nearest: 16, 24 or 32 bits, 1 to 64 channels.
  public init(bitCount: Int, channelCount: Int, isDithered: Bool = false) {
    let bitCount = bitCount <= 16 ? 16 : bitCount <= 24 ? 24 : 32
    self.bitCount = bitCount
    self.channelCount = SampleLimits.channelCount(channelCount)
    self.isDithered = isDithered
    range = IntegerRange(bitCount: bitCount)
  }

  /// Appends the integers for samples, which may begin and end anywhere in a frame.
  ///
  /// Without dither, halves are rounded away from zero; NaN becomes 0.
  public mutating func quantize(_ samples: Span<Float>, into integers: inout [Int32]) {
    let first = integers.count
    integers.append(contentsOf: repeatElement(0, count: samples.count))
    var target = integers.mutableSpan
    var clipped = 0
    if isDithered {
      var index = 0
      while index < samples.count && noise.generatorIndex != 0 {
        clipped += dither(samples[index], into: &target[first + index])
        index += 1
      }
      let whole = (samples.count - index) / 4 * 4
      unsafe samples.withUnsafeBufferPointer { source in
        unsafe target.withUnsafeMutableBufferPointer { target in
          guard whole > 0, let source = source.baseAddress, let target = target.baseAddress else {
            return
          }
          clipped += unsafe Self.dither(
            source + index, count: whole, range: range, generator: &noise,
            into: target + (first + index))
        }
      }
      index += whole
      while index < samples.count {
        clipped += dither(samples[index], into: &target[first + index])
        index += 1
      }
    } else {
      for index in 0..<samples.count {
        let scaled = samples[index] * range.scale
        if range.isBeyond(scaled) { clipped += 1 }
        target[first + index] = range.nearest(scaled)
      }
    }
    clippedCount += clipped
  }

  /// Quantizes samples in fours, the first generator first; returns the number of clipped samples.
  private static func dither(
    _ samples: UnsafePointer<Float>, count: Int, range: IntegerRange, generator: inout DitherNoise,
    into integers: UnsafeMutablePointer<Int32>
  ) -> Int {
    if range.isWide {
      return unsafe ditherWide(
        samples, count: count, range: range, generator: &generator, into: integers)
    }
    let scale = Lanes(repeating: range.scale)
    var noise = generator
    var clipped = SIMD4<Int32>.zero
    var index = 0
    while index < count {
      let values = unsafe samples.lanes(index)
      let scaled = values * scale
      clipped &+= range.beyond(scaled)
      // Zeros and NaN become 0, as their magnitude is not above zero.
      let result = SIMD4<Int32>.zero
        .replacing(
          with: range.nearestWord(scaled + noise.next4()),
          where: values.magnitude .> Lanes.zero)
      unsafe UnsafeMutableRawPointer(integers + index).storeBytes(
        of: result, as: SIMD4<Int32>.self)
      index &+= 4
    }
    generator = noise
    return Int(clipped.wrappedSum())
  }

  /// Quantizes like `dither`, to integers of more than 16 bits.
  private static func ditherWide(
    _ samples: UnsafePointer<Float>, count: Int, range: IntegerRange, generator: inout DitherNoise,
    into integers: UnsafeMutablePointer<Int32>
  ) -> Int {
    var clipped = 0
    for index in stride(from: 0, to: count, by: 4) {
      let values = unsafe samples.lanes(index)
      let scaled = values * range.scale
      let dithered = scaled + generator.next4()
      for lane in 0..<4 {
        if range.isBeyond(scaled[lane]) { clipped += 1 }
        unsafe integers[index + lane] = values[lane] == 0 ? 0 : range.nearest(dithered[lane])
      }
    }
    return clipped
  }

  /// Quantizes one sample; returns 1 if it was clipped, otherwise 0.
  private mutating func dither(_ sample: Float, into integer: inout Int32) -> Int {
    let scaled = Lanes(repeating: sample * range.scale)
    let dithered = scaled + noise.next()
    if sample == 0 {
      integer = 0
    } else if range.isWide {
      integer = range.nearest(dithered[0])
    } else {
      integer = sample.isNaN ? 0 : range.nearestWord(dithered)[0]
    }
    return range.isBeyond(scaled[0]) ? 1 : 0
  }
}

/// Noise of triangular density between −1 and +1.
///
/// Each of four xorshift generators serves every fourth sample.
private struct DitherNoise: Sendable {
  private(set) var generatorIndex = 0
  /// A state is never zero, since zero would stay zero.
  private var states = SIMD4<UInt32>(0x9E37_79B9, 0x3C6E_F372, 0xDAA6_6D2B, 0x78DD_E6E4)

  /// Returns the next value of each generator; the first generator must be the next one.
  @inline(__always)
  mutating func next4() -> Lanes {
    states = Self.following(states)
    return Self.difference(states)
  }

  /// Returns the next value, in all lanes.
  mutating func next() -> Lanes {
    states[generatorIndex] = Self.following(states)[generatorIndex]
    let value = Self.difference(states)[generatorIndex]
    generatorIndex = (generatorIndex + 1) & 3
    return Lanes(repeating: value)
  }

  @inline(__always)
  private static func following(_ states: SIMD4<UInt32>) -> SIMD4<UInt32> {
    let a = states ^ states &<< 13
    let b = a ^ a &>> 17
    return b ^ b &<< 5
  }

  /// Returns the difference of two uniform numbers: the halves of a state.
  @inline(__always)
  private static func difference(_ states: SIMD4<UInt32>) -> Lanes {
    let upper = unsafe unsafeBitCast(states &>> 16, to: SIMD4<Int32>.self)
    let lower = unsafe unsafeBitCast(states & 0xFFFF, to: SIMD4<Int32>.self)
    return ElementaryFunctions.small(upper &- lower) * (1 / 65_536)
  }
}

/// The integers of a number of bits, and the samples that round to them.
private struct IntegerRange: Sendable {
  /// The value of full scale.
  let scale: Float
  /// The limits at which samples are clipped.
  private let upperClipLimit: Float
  private let lowerClipLimit: Float
  private let lowest: Int32
  private let highest: Int32

  init(bitCount: Int) {
    let limit = Int64(1) << Int64(bitCount - 1)
    scale = Float(limit)
    lowest = Int32(-limit)
    highest = Int32(limit - 1)
    // With 32 bits the half is lost in rounding, so only full scale itself is too high.
    upperClipLimit = scale - 0.5
    // Beyond 2^23 there are no halves; the next representable number is too low.
    lowerClipLimit = bitCount == 16 ? -scale - 0.5 : (-scale).nextDown
  }

  /// Returns whether the nearest integer is out of range.
  func isBeyond(_ scaled: Float) -> Bool { scaled >= upperClipLimit || scaled <= lowerClipLimit }

  func nearest(_ scaled: Float) -> Int32 {
    guard scaled < upperClipLimit else { return scaled.isNaN ? 0 : highest }
    guard scaled > lowerClipLimit else { return lowest }
    // From 2^23 on every Float is an integer, and adding a half would round to another one.
    if scaled.magnitude >= 8_388_608 { return Int32(scaled) }
    return Int32(scaled + (scaled < 0 ? -0.5 : 0.5))
  }

  /// Whether integers have more than 16 bits.
  var isWide: Bool { scale > 32_768 }

  /// Returns 1 for each of four samples whose nearest integer is out of range.
  @inline(__always)
  func beyond(_ scaled: Lanes) -> SIMD4<Int32> {
    SIMD4<Int32>.zero
      .replacing(with: 1, where: scaled .>= Lanes(repeating: upperClipLimit))
      .replacing(with: 1, where: scaled .<= Lanes(repeating: lowerClipLimit))
  }

  /// Returns the nearest 16-bit integers of dithered samples, in which halves may round either way.
  @inline(__always)
  func nearestWord(_ scaled: Lanes) -> SIMD4<Int32> {
    // Adding 1.5·2²³ rounds to a whole number, which is then in the low bits.
    let magic = scaled.clamped(from: -32_768, to: 32_767) + 12_582_912
    return unsafe unsafeBitCast(magic, to: SIMD4<Int32>.self) &- 0x4B40_0000
  }
}
