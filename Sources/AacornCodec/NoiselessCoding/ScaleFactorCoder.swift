/// The differences between neighboring scalefactors and their codewords
/// (ISO/IEC 14496-3, 4.6.2.3).
enum ScaleFactorCoder {
  /// The largest difference that can be sent.
  static let largestDifference = 60

  /// The bits of a difference, −60…60.
  @inline(__always)
  static func bits(_ difference: Int) -> Int {
    Int(ScaleFactorCodewords.lengths[difference + 60])
  }

  /// Writes a difference, −60…60.
  @inline(__always)
  static func write(_ difference: Int, to sink: inout some BitSink) {
    let word = ScaleFactorCodewords.words[difference + 60]
    sink.put(word & 0xFF_FFFF, count: Int(word >> 24))
  }
}
