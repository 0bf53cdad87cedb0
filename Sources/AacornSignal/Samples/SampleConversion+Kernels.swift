// The loops over samples. Each checks its bounds once, before the loop, so that the compiler can
// vectorize the body; a check per sample would cost several times the conversion itself.

extension SampleConversion {
  static func convert(
    _ bytes: Span<UInt8>, as encoding: SampleFormat.Encoding, count: Int,
    into samples: inout MutableSpan<Float>, at first: Int
  ) {
    switch encoding {
    case .unsigned8:
      map(bytes, UInt8.self, count, &samples, first) { Float(Int32($0) &- 128) * (1 / 128) }
    case .signed8:
      map(bytes, Int8.self, count, &samples, first) { Float($0) * (1 / 128) }
    case .int16LittleEndian:
      map(bytes, Int16.self, count, &samples, first) {
        Float(Int16(littleEndian: $0)) * (1 / 32768)
      }
    case .int16BigEndian:
      map(bytes, Int16.self, count, &samples, first) { Float(Int16(bigEndian: $0)) * (1 / 32768) }
    case .int24LittleEndian:
      map24(bytes, count, &samples, first) { UInt32($0) << 8 | UInt32($1) << 16 | UInt32($2) << 24 }
    case .int24BigEndian:
      map24(bytes, count, &samples, first) { UInt32($2) << 8 | UInt32($1) << 16 | UInt32($0) << 24 }
    case .int32LittleEndian:
      map(bytes, Int32.self, count, &samples, first) {
        Float(Int32(littleEndian: $0)) * (1 / 2_147_483_648)
      }
    case .int32BigEndian:
      map(bytes, Int32.self, count, &samples, first) {
        Float(Int32(bigEndian: $0)) * (1 / 2_147_483_648)
      }
    case .float32LittleEndian:
      map(bytes, UInt32.self, count, &samples, first) {
        Float(bitPattern: UInt32(littleEndian: $0))
      }
    case .float32BigEndian:
      map(bytes, UInt32.self, count, &samples, first) { Float(bitPattern: UInt32(bigEndian: $0)) }
    case .float64LittleEndian:
      map(bytes, UInt64.self, count, &samples, first) {
        Float(Double(bitPattern: UInt64(littleEndian: $0)))
      }
    case .float64BigEndian:
      map(bytes, UInt64.self, count, &samples, first) {
        Float(Double(bitPattern: UInt64(bigEndian: $0)))
      }
    case .muLaw:
      map(bytes, UInt8.self, count, &samples, first) { Float(muLaw($0)) * (1 / 32768) }
    case .aLaw:
      map(bytes, UInt8.self, count, &samples, first) { Float(aLaw($0)) * (1 / 32768) }
    }
  }

  static func convert(
    _ bytes: Span<UInt8>, as encoding: SampleFormat.Encoding, count: Int,
    into samples: inout MutableSpan<Int16>, at first: Int
  ) {
    switch encoding {
    case .unsigned8:
      map(bytes, UInt8.self, count, &samples, first) {
        Int16(truncatingIfNeeded: (Int32($0) &- 128) &* 256)
      }
    case .signed8:
      map(bytes, Int8.self, count, &samples, first) { Int16($0) &* 256 }
    case .int16BigEndian:
      map(bytes, Int16.self, count, &samples, first) { Int16(bigEndian: $0) }
    case .muLaw:
      map(bytes, UInt8.self, count, &samples, first) { muLaw($0) }
    case .aLaw:
      map(bytes, UInt8.self, count, &samples, first) { aLaw($0) }
    default:
      map(bytes, Int16.self, count, &samples, first) { Int16(littleEndian: $0) }
    }
  }

  /// Stores the result of `value` for each unaligned `Raw` in `bytes`.
  @inline(__always)
  private static func map<Raw: BitwiseCopyable, Sample: BitwiseCopyable>(
    _ bytes: Span<UInt8>, _ raw: Raw.Type, _ count: Int,
    _ samples: inout MutableSpan<Sample>, _ first: Int, _ value: (Raw) -> Sample
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
    _ bytes: Span<UInt8>, _ count: Int, _ samples: inout MutableSpan<Float>, _ first: Int,
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
