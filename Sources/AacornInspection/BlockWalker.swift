import AacornCodec
import AacornContainers

/// Inspects the blocks of an ADIF file.
struct BlockWalker: Sendable {
  private var file = ADIFReader()

  mutating func append(_ bytes: [UInt8]) { file.append(bytes) }

  mutating func finish() { file.finish() }

  /// Reads the header or a block; returns false if more bytes are needed or no blocks follow.
  mutating func advance(_ analyzer: inout FrameAnalyzer, _ rows: inout [FrameRow]) -> Bool {
    let offset = Int64(file.offset)
    switch file.next() {
    case nil: return false
    case .header: break
    case .invalidHeader:
      analyzer.add(.damage(.invalidHeader), offset: offset, length: Int64(file.count))
    case .block(let bytes, let configuration):
      var unit = FrameAnalyzer.Unit(
        configuration: configuration, bytes: bytes, range: 0..<bytes.count, offset: offset,
        length: Int64(bytes.count))
      unit.isOnlyBlock = false
      guard let used = analyzer.read(unit) else {
        file.stop()
        analyzer.add(.lostSynchronization, offset: offset, length: Int64(file.count))
        return true
      }
      rows.append(analyzer.countRow(unit, byteCount: used))
      file.drop(used)
    }
    return true
  }
}
