import AacornSignal

/// The encoding of a sample in the written files.
@frozen
public enum PCMEncoding: UInt8, Equatable, Sendable, CaseIterable {
  /// 16-bit integers, rounded and clipped.
  case int16
  /// 24-bit integers in three bytes, rounded and clipped.
  case int24
  /// 32-bit integers, clipped.
  case int32
  /// Single precision, unchanged.
  case float32

  /// Bytes per sample.
  public var byteCount: Int {
    switch self {
    case .int16: 2
    case .int24: 3
    case .int32, .float32: 4
    }
  }

  /// Bits per sample.
  public var bitCount: Int { byteCount * 8 }

  /// The maximum size of a file in bytes, so that sums of offsets do not overflow.
  static var maxFileByteCount: UInt64 { 1 << 62 }

  /// Returns the size of frames in bytes; nil if their number is unknown or the size
  /// is above `limit`.
  func byteCount(
    _ frameCount: UInt64?, _ channelCount: Int, limit: UInt64 = maxFileByteCount
  ) -> UInt64? {
    guard let frameCount else { return nil }
    let (size, overflow) = frameCount.multipliedReportingOverflow(
      by: UInt64(byteCount * channelCount))
    return overflow || size > limit ? nil : size
  }

  /// Appends samples in this encoding, without dither, least significant byte first.
  public func append(_ samples: Span<Float>, to bytes: inout [UInt8]) {
    switch self {
    case .int16:
      for index in 0..<samples.count {
        bytes.append(little: UInt16(bitPattern: SampleConversion.int16(samples[index])))
      }
    case .int24, .int32:
      var integers: [Int32] = []
      var quantizer = SampleQuantizer(bitCount: bitCount, channelCount: 1)
      quantizer.quantize(samples, into: &integers)
      append(integers.span, to: &bytes)
    case .float32:
      append(numbers: samples, to: &bytes)
    }
  }

  /// Appends integers that fit this encoding.
  func append(_ integers: Span<Int32>, isBigEndian: Bool = false, to bytes: inout [UInt8]) {
    if self == .int16 { return appendWords(integers, isBigEndian: isBigEndian, to: &bytes) }
    store(count: integers.count, isBigEndian: isBigEndian, to: &bytes) {
      UInt32(bitPattern: integers[$0])
    }
  }

  /// Appends integers of 16 bits, two bytes at a time.
  private func appendWords(_ integers: Span<Int32>, isBigEndian: Bool, to bytes: inout [UInt8]) {
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: integers.count * 2))
    let count = integers.count
    unsafe integers.withUnsafeBufferPointer { source in
      unsafe bytes.withUnsafeMutableBytes { target in
        guard let source = source.baseAddress, let target = target.baseAddress else { return }
        for index in 0..<count {
          let word = unsafe UInt16(truncatingIfNeeded: source[index])
          unsafe (target + (start &+ 2 &* index)).storeBytes(
            of: isBigEndian ? word.bigEndian : word.littleEndian, as: UInt16.self)
        }
      }
    }
  }

  /// Appends samples unchanged; for `float32` only.
  func append(numbers: Span<Float>, isBigEndian: Bool = false, to bytes: inout [UInt8]) {
    store(count: numbers.count, isBigEndian: isBigEndian, to: &bytes) { numbers[$0].bitPattern }
  }

  @inline(__always)
  private func store(
    count: Int, isBigEndian: Bool, to bytes: inout [UInt8], _ word: (Int) -> UInt32
  ) {
    let size = byteCount
    var position = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: count * size))
    var target = bytes.mutableSpan
    for index in 0..<count {
      var rest = word(index)
      for offset in 0..<size {
        target[position + (isBigEndian ? size - 1 - offset : offset)] = UInt8(
          truncatingIfNeeded: rest)
        rest >>= 8
      }
      position += size
    }
  }
}

// Header fields, in either byte order.
extension [UInt8] {
  @inlinable
  package mutating func append<Number: FixedWidthInteger>(little number: Number) {
    for index in 0..<Number.bitWidth / 8 {
      append(UInt8(truncatingIfNeeded: number >> Number(index * 8)))
    }
  }

  @inlinable
  package mutating func append<Number: FixedWidthInteger>(big number: Number) {
    append(little: number.byteSwapped)
  }

  mutating func append(code: StaticString) {
    append(big: fourCC(code))
  }
}
