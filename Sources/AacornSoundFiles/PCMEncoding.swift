import AacornSignal

/// How a sample is stored in the files written here: little-endian.
@frozen
public enum PCMEncoding: UInt8, Equatable, Sendable {
  /// 16-bit integers, rounded and clipped.
  case int16
  /// Single precision, unchanged.
  case float32

  /// Bytes per sample.
  public var byteCount: Int { self == .int16 ? 2 : 4 }

  /// Appends samples in this encoding.
  public func append(_ samples: Span<Float>, to bytes: inout [UInt8]) {
    for index in 0..<samples.count {
      switch self {
      case .int16:
        bytes.append(little: UInt16(bitPattern: SampleConversion.int16(samples[index])))
      case .float32:
        bytes.append(little: samples[index].bitPattern)
      }
    }
  }
}

// Header fields, in either byte order.
extension [UInt8] {
  mutating func append<Number: FixedWidthInteger>(little number: Number) {
    for index in 0..<Number.bitWidth / 8 {
      append(UInt8(truncatingIfNeeded: number >> Number(index * 8)))
    }
  }

  mutating func append<Number: FixedWidthInteger>(big number: Number) {
    append(little: number.byteSwapped)
  }

  mutating func append(code: StaticString) {
    append(big: fourCC(code))
  }
}
