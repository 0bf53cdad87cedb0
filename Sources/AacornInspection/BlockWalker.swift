import AacornCodec
import AacornContainers

/// Reads the blocks of an ADIF file, which are stored without lengths.
struct BlockWalker: Sendable {
  var isFinished = false
  private var bytes: [UInt8] = []
  /// The index of the first unused byte.
  private var head = 0
  /// The file offset of the first unused byte.
  private var offset: Int64 = 0
  private var configuration: AudioSpecificConfig?
  private var isLost = false

  mutating func append(_ new: [UInt8]) {
    // After an unreadable block, the remainder is only reported at the end.
    if isLost { return }
    if head > bytes.count / 2 {
      bytes.removeSubrange(0..<head)
      head = 0
    }
    bytes += new
  }

  /// Reads the header or a block; returns false if more bytes are needed or no blocks follow.
  mutating func advance(_ analyzer: inout FrameAnalyzer, _ rows: inout [FrameRow]) -> Bool {
    let available = bytes.count - head
    let limit = FrameLimits.maxByteCountWithoutLength
    if isLost || available == 0 || (available < limit && !isFinished) { return false }
    guard let configuration else {
      readHeader(&analyzer)
      return true
    }
    let end = head + min(available, limit)
    var unit = FrameAnalyzer.Unit(
      configuration: configuration, bytes: bytes, range: head..<end, offset: offset,
      length: Int64(end - head))
    unit.isOnlyBlock = false
    guard let used = analyzer.read(unit) else {
      isLost = true
      analyzer.add(.lostSynchronization, offset: offset, length: Int64(available))
      return true
    }
    rows.append(analyzer.countRow(unit, byteCount: used))
    drop(used)
    return true
  }

  private mutating func readHeader(_ analyzer: inout FrameAnalyzer) {
    guard let header = ADIFHeader(parsing: bytes) else {
      isLost = true
      analyzer.add(.damage(.invalidHeader), offset: 0, length: Int64(bytes.count))
      return
    }
    configuration = header.audioSpecificConfig
    drop(header.byteCount)
  }

  private mutating func drop(_ count: Int) {
    head += count
    offset += Int64(count)
  }
}
