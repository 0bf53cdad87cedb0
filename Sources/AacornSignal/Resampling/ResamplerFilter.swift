/// The low-pass filter of a resampler, sampled at every offset that the conversion needs.
///
/// A Kaiser-windowed sinc with its transition between 0.9 and 1.0 of the lower of the two Nyquist
/// frequencies, so that no alias folds back:
///
///     τ = output time − input time, in input samples;  half = taps / 2
///     h(τ) = c · sinc(c τ) · I₀(β √(1 − (τ / half)²)) / I₀(β),   c = 0.95 · min(1, out / in)
///
/// Row p contains h(p / rowsPerSample + half − 1 − k) for the taps k. Output times are multiples of
/// in/out input samples. If there are few distinct fractions, each has its own row. Otherwise the
/// rows are a grid, and the coefficients of a fraction are interpolated linearly between the two
/// nearest rows: with 1024 rows per sample of the lower rate the error is below (0.5 / 1024)², −132
/// dB.
struct ResamplerFilter: Sendable {
  /// The number of coefficients per row, a multiple of 16.
  let tapCount: Int
  let rowsPerSample: Int
  let isInterpolated: Bool
  /// The rows, one after the other; one more than `rowsPerSample` if they are interpolated.
  let coefficients: [Float]

  /// Above this many coefficients (1 MiB) the rows are interpolated.
  private static let maximumExactSize = 1 << 18
  private static let interpolationRows = 1024
  /// The stop-band attenuation in decibels: the documented 110, and 10 as a margin.
  private static let attenuation = 120.0
  private static let passBandEdge = 0.9

  /// Creates the filter for `fractionCount` different offsets.
  ///
  /// `fractionCount` is the output rate divided by its greatest common divisor with the input rate.
  init(inputRate: Int, outputRate: Int, fractionCount: Int) {
    let narrowing = min(1, Double(outputRate) / Double(inputRate))
    // Kaiser's formulas for the length and β; the width is in cycles per input sample.
    let width = (1 - Self.passBandEdge) / 2 * narrowing
    let length = (Self.attenuation - 7.95) / (14.36 * width)
    let half = (Int(length / 16) + 1) * 8
    let beta = 0.1102 * (Self.attenuation - 8.7)

    let isInterpolated = fractionCount > Self.maximumExactSize / (2 * half)
    let rows =
      isInterpolated
      ? max(2, Int(Double(Self.interpolationRows) * narrowing) + 1) : fractionCount
    let rowCount = isInterpolated ? rows + 1 : rows
    let taps = 2 * half
    let cutoff = (1 + Self.passBandEdge) / 2 * narrowing
    let scale = cutoff / ElementaryFunctions.besselI0(ofSquareRootOf: beta * beta)

    var coefficients = [Float](repeating: 0, count: rowCount * taps)
    for row in 0...rows / 2 {
      let fraction = Double(row) / Double(rows)
      for tap in 0..<taps {
        let offset = fraction + Double(half - 1 - tap)
        let relative = offset / Double(half)
        let window = ElementaryFunctions.besselI0(
          ofSquareRootOf: beta * beta * max(0, 1 - relative * relative))
        let value = Float(scale * ElementaryFunctions.sinc(cutoff * offset) * window)
        coefficients[row * taps + tap] = value
        // h is even: the row for 1 − fraction is this row reversed.
        if rows - row < rowCount { coefficients[(rows - row) * taps + taps - 1 - tap] = value }
      }
    }
    self.coefficients = coefficients
    self.isInterpolated = isInterpolated
    tapCount = taps
    rowsPerSample = rows
  }
}

/// The inner loops of the resampler; bounds are checked once per call.
enum DotProduct {
  /// Returns Σ a[aStart + i] · b[bStart + i] for i < count, a multiple of 16.
  ///
  /// Sixteen sums run side by side and are added in a fixed order, so the result does not depend on
  /// the width of the machine's vectors.
  @inline(__always)
  static func of(
    _ a: Span<Float>, at aStart: Int, _ b: Span<Float>, at bStart: Int, count: Int
  ) -> Float {
    precondition(count >= 0 && count % 16 == 0)
    precondition(aStart >= 0 && count <= a.count - aStart)
    precondition(bStart >= 0 && count <= b.count - bStart)
    let aBytes = unsafe a.bytes
    let bBytes = unsafe b.bytes
    var sum0 = SIMD8<Float>.zero
    var sum1 = SIMD8<Float>.zero
    var aOffset = aStart &* 4
    var bOffset = bStart &* 4
    let end = aOffset &+ count &* 4
    while aOffset < end {
      // Safe: both ranges lie inside the spans, as checked above.
      unsafe sum0 +=
        aBytes.unsafeLoadUnaligned(fromUncheckedByteOffset: aOffset, as: SIMD8<Float>.self)
        * bBytes.unsafeLoadUnaligned(fromUncheckedByteOffset: bOffset, as: SIMD8<Float>.self)
      unsafe sum1 +=
        aBytes.unsafeLoadUnaligned(fromUncheckedByteOffset: aOffset &+ 32, as: SIMD8<Float>.self)
        * bBytes.unsafeLoadUnaligned(fromUncheckedByteOffset: bOffset &+ 32, as: SIMD8<Float>.self)
      aOffset &+= 64
      bOffset &+= 64
    }
    let sum8 = sum0 + sum1
    let sum4 = sum8.lowHalf + sum8.highHalf
    let sum2 = sum4.lowHalf + sum4.highHalf
    return sum2.x + sum2.y
  }

  /// Interpolates between row `row` of a table and the next one, by `weight`, into `target`.
  static func interpolate(
    _ table: Span<Float>, row: Int, weight: Float, into target: inout [Float]
  ) {
    let width = target.count
    precondition(row >= 0 && row < table.count / width - 1)
    let base = row * width
    var target = target.mutableSpan
    for index in 0..<width {
      // Safe: two whole rows follow `base`, as checked above.
      let here = unsafe table[unchecked: base &+ index]
      let there = unsafe table[unchecked: base &+ width &+ index]
      unsafe target[unchecked: index] = here + weight * (there - here)
    }
  }
}
