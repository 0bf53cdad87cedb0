@testable import AacornCodec

extension ChannelWriter where Bits == BitWriter {
  /// Writes `count` lines from `start` with one codebook, 1…11.
  mutating func writeSpectrum(
    _ quantized: [Int32], _ start: Int, _ count: Int, book: Int, _ codewords: Codewords
  ) {
    writeSpectrum(
      Array(quantized[start..<start + count]), offsets: [0, count], codebooks: [UInt8(book)],
      bandCount: 1, codewords: codewords)
  }
}

extension BitWriter {
  mutating func put(_ fields: [(value: UInt32, count: Int)]) {
    for field in fields { put(field.value, count: field.count) }
  }
}
