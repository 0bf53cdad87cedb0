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

// The loops over samples. Each checks its bounds once, before the loop, so that the compiler can
// vectorize the body; a check per sample would cost several times the conversion itself.

extension SampleConversion {
  package static func convert(
    _ bytes: Span<UInt8>, as encoding: SampleFormat.Encoding, count: Int,
    into samples: inout MutableSpan<Float>, at first: Int
  ) {
    switch encoding {
    case .unsigned8:
      map(bytes, as: UInt8.self, count: count, into: &samples, at: first) {
        Float(Int32($0) &- 128) * (1 / 128)
      }
    case .signed8:
      map(bytes, as: Int8.self, count: count, into: &samples, at: first) { Float($0) * (1 / 128) }
    case .int16LittleEndian:
      map(bytes, as: Int16.self, count: count, into: &samples, at: first) {
        Float(Int16(littleEndian: $0)) * (1 / 32768)
      }
    case .int16BigEndian:
      map(bytes, as: Int16.self, count: count, into: &samples, at: first) {
        Float(Int16(bigEndian: $0)) * (1 / 32768)
      }
    case .int24LittleEndian:
      map24(bytes, count: count, into: &samples, at: first) {
        UInt32($0) << 8 | UInt32($1) << 16 | UInt32($2) << 24
      }
    case .int24BigEndian:
      map24(bytes, count: count, into: &samples, at: first) {
        UInt32($2) << 8 | UInt32($1) << 16 | UInt32($0) << 24
      }
    case .int32LittleEndian:
      map(bytes, as: Int32.self, count: count, into: &samples, at: first) {
        Float(Int32(littleEndian: $0)) * (1 / 2_147_483_648)
      }
    case .int32BigEndian:
      map(bytes, as: Int32.self, count: count, into: &samples, at: first) {
        Float(Int32(bigEndian: $0)) * (1 / 2_147_483_648)
      }
    case .float32LittleEndian:
      map(bytes, as: UInt32.self, count: count, into: &samples, at: first) {
        Float(bitPattern: UInt32(littleEndian: $0))
      }
    case .float32BigEndian:
      map(bytes, as: UInt32.self, count: count, into: &samples, at: first) {
        Float(bitPattern: UInt32(bigEndian: $0))
      }
    case .float64LittleEndian:
      map(bytes, as: UInt64.self, count: count, into: &samples, at: first) {
        Float(Double(bitPattern: UInt64(littleEndian: $0)))
      }
    case .float64BigEndian:
      map(bytes, as: UInt64.self, count: count, into: &samples, at: first) {
        Float(Double(bitPattern: UInt64(bigEndian: $0)))
      }
    case .muLaw:
      map(bytes, as: UInt8.self, count: count, into: &samples, at: first) {
        Float(muLaw($0)) * (1 / 32768)
      }
    case .aLaw:
      map(bytes, as: UInt8.self, count: count, into: &samples, at: first) {
        Float(aLaw($0)) * (1 / 32768)
      }
    }
  }

  static func convert(
    _ bytes: Span<UInt8>, as encoding: SampleFormat.Encoding, count: Int,
    into samples: inout MutableSpan<Int16>, at first: Int
  ) {
    switch encoding {
    case .unsigned8:
      map(bytes, as: UInt8.self, count: count, into: &samples, at: first) {
        Int16(truncatingIfNeeded: (Int32($0) &- 128) &* 256)
      }
    case .signed8:
      map(bytes, as: Int8.self, count: count, into: &samples, at: first) { Int16($0) &* 256 }
    case .int16BigEndian:
      map(bytes, as: Int16.self, count: count, into: &samples, at: first) { Int16(bigEndian: $0) }
    case .muLaw:
      map(bytes, as: UInt8.self, count: count, into: &samples, at: first) { muLaw($0) }
    case .aLaw:
      map(bytes, as: UInt8.self, count: count, into: &samples, at: first) { aLaw($0) }
    default:
      map(bytes, as: Int16.self, count: count, into: &samples, at: first) {
        Int16(littleEndian: $0)
      }
    }
  }

  /// Stores the result of `value` for each unaligned `Raw` in `bytes`.
  @inline(__always)
  private static func map<Raw: BitwiseCopyable, Sample: BitwiseCopyable>(
    _ bytes: Span<UInt8>, as raw: Raw.Type, count: Int, into samples: inout MutableSpan<Sample>,
    at first: Int, _ value: (Raw) -> Sample
  ) {
    let size = MemoryLayout<Raw>.size
    precondition(count >= 0 && count <= bytes.count / size)
    precondition(first >= 0 && count <= samples.count - first)
    let rawBytes = unsafe bytes.bytes
    for index in 0..<count {
      // Safe: index < count, and both ends were checked against the spans above.
      let stored = unsafe rawBytes.unsafeLoadUnaligned(
        fromUncheckedByteOffset: index &* size, as: Raw.self)
      unsafe samples[unchecked: first &+ index] = value(stored)
    }
  }

  /// Stores each three-byte integer, which `join` places in the upper three bytes of a word.
  @inline(__always)
  private static func map24(
    _ bytes: Span<UInt8>, count: Int, into samples: inout MutableSpan<Float>, at first: Int,
    _ join: (UInt8, UInt8, UInt8) -> UInt32
  ) {
    precondition(count >= 0 && count <= bytes.count / 3)
    precondition(first >= 0 && count <= samples.count - first)
    for index in 0..<count {
      // Safe: index < count, and both ends were checked against the spans above.
      let base = index &* 3
      let word = unsafe join(
        bytes[unchecked: base], bytes[unchecked: base &+ 1], bytes[unchecked: base &+ 2])
      unsafe samples[unchecked: first &+ index] =
        Float(Int32(bitPattern: word)) * (1 / 2_147_483_648)
    }
  }
}
