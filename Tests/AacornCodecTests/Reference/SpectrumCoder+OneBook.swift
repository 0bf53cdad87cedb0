@testable import AacornCodec

extension SpectrumCoder {
  /// Writes `count` lines from `start` in one codebook, 1…11.
  static func write(
    _ quantized: [Int32], _ start: Int, _ count: Int, book: Int, _ tables: CodeTables,
    to sink: inout BitWriter
  ) {
    write(
      Array(quantized[start..<start + count]), [0, count], [UInt8(book)], bandCount: 1, tables,
      to: &sink)
  }
}
