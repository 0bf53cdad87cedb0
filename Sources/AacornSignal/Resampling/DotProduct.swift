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
