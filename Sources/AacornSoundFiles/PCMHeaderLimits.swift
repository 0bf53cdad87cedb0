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
