/// A few bytes of a header, read as numbers.
///
/// The parsers request exactly the bytes that they examine. Reading beyond the end returns zeros,
/// so a mistake there cannot crash.
struct PCMHeaderField {
  let bytes: [UInt8]
  var isBigEndian = true

  var count: Int { bytes.count }

  func byte(_ offset: Int) -> UInt8 { offset < bytes.count ? bytes[offset] : 0 }

  func uint16(_ offset: Int) -> UInt16 { UInt16(truncatingIfNeeded: integer(offset, size: 2)) }

  func uint32(_ offset: Int) -> UInt32 { UInt32(truncatingIfNeeded: integer(offset, size: 4)) }

  func uint64(_ offset: Int) -> UInt64 { integer(offset, size: 8) }

  /// Returns a four-character code, always in file order.
  func code(_ offset: Int) -> UInt32 { PCMHeaderField(bytes: bytes).uint32(offset) }

  private func integer(_ offset: Int, size: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in 0..<size {
      value = value << 8 | UInt64(byte(isBigEndian ? offset + index : offset + size - 1 - index))
    }
    return value
  }
}

extension Span<UInt8> {
  /// Returns four bytes, big-endian; nil beyond the end.
  package func word(at index: Int) -> UInt32? {
    guard index >= 0, index <= count - 4 else { return nil }
    var word: UInt32 = 0
    for offset in index..<index + 4 { word = word << 8 | UInt32(self[offset]) }
    return word
  }
}

/// Returns the number of four ASCII characters, first character in the high byte.
func fourCC(_ text: StaticString) -> UInt32 {
  var value: UInt32 = 0
  for index in 0..<text.utf8CodeUnitCount {
    // Safe: a literal of more than one character is stored, and the index is below its length.
    value = value << 8 | UInt32(unsafe text.utf8Start[index])
  }
  return value
}

/// Checks shared by all formats.
enum PCMHeaderLimits {
  static func sampleRate(_ rate: UInt32) throws(PCMFileError) -> Int {
    guard rate >= 1 && rate <= UInt32(PCMFileReader.maximumSampleRate) else {
      throw .unsupportedSampleRate(rate)
    }
    return Int(rate)
  }

  /// Checks a floating-point rate, rounded to whole hertz.
  static func sampleRate(_ rate: Double) throws(PCMFileError) -> Int {
    // NaN fails the first comparison.
    guard rate >= 0.5 else { throw .unsupportedSampleRate(0) }
    guard rate < 4_294_967_295 else { throw .unsupportedSampleRate(.max) }
    return try sampleRate(UInt32(rate + 0.5))
  }

  static func channelCount(_ count: UInt32) throws(PCMFileError) -> Int {
    guard count >= 1 && count <= UInt32(PCMFileReader.maximumChannelCount) else {
      throw .unsupportedChannelCount(Int(min(count, UInt32(Int32.max))))
    }
    return Int(count)
  }

  /// Returns whether a 32-bit length is one of the values that writers to pipes use for "unknown".
  static func isPlaceholder(_ size: UInt32) -> Bool {
    size >= 0xFFFF_F000 || (size >= 0x7FFF_F000 && size <= 0x8000_0FFF)
  }

  static func sum(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let (sum, overflow) = a.addingReportingOverflow(b)
    return overflow ? .max : sum
  }
}
