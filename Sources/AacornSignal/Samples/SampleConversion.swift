/// Converts stored samples to numbers, and back.
///
/// Full scale is ±1: an integer of b bits is divided by 2^(b−1), which is exact up to 24 bits;
/// 32-bit integers and double precision are rounded to the nearest Float. Floating-point input
/// passes through unchanged, even beyond ±1, infinite or NaN.
public enum SampleConversion {
  /// Appends the samples in `bytes` as Floats; a partial sample at the end is ignored.
  ///
  /// The function allocates only if `samples` lacks the capacity.
  public static func append(
    _ bytes: Span<UInt8>, as format: SampleFormat, to samples: inout [Float]
  ) {
    let first = samples.count
    let count = bytes.count / format.bytesPerSample
    samples.append(contentsOf: repeatElement(0, count: count))
    var target = samples.mutableSpan
    convert(bytes, as: format.encoding, count: count, into: &target, at: first)
  }

  /// Replaces the contents of `samples`, reusing its memory.
  public static func overwrite(
    _ samples: inout [Float], with bytes: Span<UInt8>, as format: SampleFormat
  ) {
    samples.removeAll(keepingCapacity: true)
    append(bytes, as: format, to: &samples)
  }

  /// Appends the samples in `bytes` as Int16, without loss if `format.fitsInt16`.
  ///
  /// Other formats are converted as by ``int16(_:)``. Eight-bit samples become multiples of 256;
  /// µ-law and A-law become their 16-bit values.
  public static func append(
    _ bytes: Span<UInt8>, as format: SampleFormat, to samples: inout [Int16]
  ) {
    guard format.fitsInt16 else {
      var numbers: [Float] = []
      append(bytes, as: format, to: &numbers)
      samples.reserveCapacity(samples.count + numbers.count)
      for number in numbers { samples.append(int16(number)) }
      return
    }
    let first = samples.count
    let count = bytes.count / format.bytesPerSample
    samples.append(contentsOf: repeatElement(0, count: count))
    var target = samples.mutableSpan
    convert(bytes, as: format.encoding, count: count, into: &target, at: first)
  }

  /// Returns the nearest 16-bit integer: halves away from zero, clipped at full scale, NaN as 0.
  public static func int16(_ sample: Float) -> Int16 {
    let scaled = sample * 32768
    guard scaled < 32767 else { return scaled.isNaN ? 0 : 32767 }
    guard scaled > -32768 else { return -32768 }
    return Int16(truncatingIfNeeded: Int32(scaled + (scaled < 0 ? -0.5 : 0.5)))
  }

  /// Returns the 16-bit value of a µ-law byte (ITU-T G.711, clause 3.2): at most ±32124.
  @inline(__always)
  static func muLaw(_ byte: UInt8) -> Int16 {
    let code = ~byte
    let exponent = Int32(code >> 4 & 7)
    let magnitude = (Int32(code & 15) << 3 + 0x84) << exponent - 0x84
    return Int16(truncatingIfNeeded: code & 0x80 == 0 ? magnitude : -magnitude)
  }

  /// Returns the 16-bit value of an A-law byte (ITU-T G.711, clause 3.1): at most ±32256.
  @inline(__always)
  static func aLaw(_ byte: UInt8) -> Int16 {
    let code = byte ^ 0x55
    let exponent = Int32(code >> 4 & 7)
    let step = Int32(code & 15) << 4 + 8
    let magnitude = exponent == 0 ? step : (step + 0x100) << (exponent - 1)
    return Int16(truncatingIfNeeded: code & 0x80 == 0 ? -magnitude : magnitude)
  }
}
