public import AacornCodec
import AacornSignal

/// Reads the frames of an ADTS stream that arrives in pieces of any size.
///
///     reader.append(bytes)
///     while let event = reader.next() { … }
///
/// A frame is returned once the header after it has arrived or the stream has ended. `FrameScanner`
/// describes how damage is distinguished from frames. After a call of `next` that returns nil, the
/// reader holds at most two frames, whatever the stream contains.
public struct ADTSReader: Sendable {
  /// An event of the stream.
  public typealias Event = StreamEvent<ADTSFrame>

  private var scanner = FrameScanner<ADTSHeader>()
  private var lastHeader: ADTSHeader?

  /// Creates a reader at the start of a stream.
  public init() {}

  /// Appends the next bytes of the stream.
  public mutating func append(_ bytes: Span<UInt8>) { scanner.append(bytes) }

  /// Appends the next bytes of the stream.
  public mutating func append(_ bytes: [UInt8]) { scanner.append(bytes.span) }

  /// Marks the end of the stream.
  public mutating func finish() { scanner.finish() }

  /// The reader's position; all following frames begin at or after it.
  public var position: Int { scanner.buffer.offset }

  /// Returns the next event, or nil if more bytes are needed or the stream has ended.
  public mutating func next() -> Event? {
    switch scanner.next() {
    case nil: nil
    case .tag(let offset, let length): .tag(offset: offset, length: length)
    case .damage(let damage): .damage(damage)
    case .frame(let header): event(for: header)
    }
  }

  private mutating func event(for header: ADTSHeader) -> Event {
    let offset = scanner.buffer.offset
    let hasChanged = lastHeader.map { !$0.agrees(with: header) } ?? false
    lastHeader = header
    if hasChanged {
      // Report the change first; the frame stays in the buffer until the next call.
      return .damage(StreamDamage(kind: .parametersChanged, offset: offset, length: 0))
    }
    var words: [UInt16] = []
    for index in stride(from: ADTSHeader.fixedByteCount, to: header.headerLength, by: 2) {
      words.append(UInt16(scanner.buffer.word(at: index, byteCount: 2) ?? 0))
    }
    let payload = scanner.takeFrame(header, from: header.headerLength)
    if let frame = ADTSFrame(header: header, offset: offset, words: words, payload: payload) {
      return .frame(frame)
    }
    return .damage(
      StreamDamage(kind: .invalidBlockPositions, offset: offset, length: header.frameLength))
  }
}

/// One frame of an ADTS stream.
public struct ADTSFrame: Equatable, Sendable {
  /// The header.
  public let header: ADTSHeader
  /// The offset of the frame's first byte from the start of the stream.
  public let offset: Int
  /// Everything after the header: the raw_data_blocks, each with its checksum if there are several.
  public let payload: [UInt8]
  /// The ranges of the raw_data_blocks in `payload`.
  ///
  /// Several blocks without checksums are stored without lengths. Only decoding finds their ends,
  /// so they count as one range here, and `header.blockCount` is their number.
  public let blocks: [Range<Int>]
  /// The stored checksum of each block; empty if the frame has none.
  public let checksums: [UInt16]
  /// The stored checksum of the header, present with several blocks.
  public let headerChecksum: UInt16?

  /// The positions of the second and later blocks, present with several blocks and checksums.
  private let positions: [UInt16]

  /// Creates a frame; `words` are the 16-bit fields between header and payload.
  ///
  /// Returns nil if the block positions are impossible.
  init?(header: ADTSHeader, offset: Int, words: [UInt16], payload: [UInt8]) {
    self.header = header
    self.offset = offset
    self.payload = payload
    guard header.hasChecksum && header.blockCount > 1 else {
      blocks = [0..<payload.count]
      checksums = words
      headerChecksum = nil
      positions = []
      return
    }
    positions = Array(words.dropLast())
    headerChecksum = words.last
    // Positions count bytes from the first block and include the checksum after each block.
    var blocks: [Range<Int>] = []
    var checksums: [UInt16] = []
    var start = 0
    for next in positions.map({ Int($0) }) + [payload.count] {
      guard next >= start + 2 && next <= payload.count else { return nil }
      blocks.append(start..<next - 2)
      checksums.append(UInt16(payload[next - 2..<next].number()))
      start = next
    }
    self.blocks = blocks
    self.checksums = checksums
  }

  /// Whether `blocks` has the range of every block.
  package var areBlocksLocated: Bool { blocks.count == header.blockCount }

  /// Calls `read` with the index and the range of each block, in order; returns the number of
  /// blocks found.
  ///
  /// `read` returns the length of its block, or nil if the length is unknown. Without the ranges of
  /// all blocks, the range of a block extends to the end of the payload, and a block of unknown
  /// length is the last one found.
  package func forEachBlock(_ read: (_ index: Int, _ range: Range<Int>) -> Int?) -> Int {
    var rest = 0..<payload.count
    for index in 0..<header.blockCount {
      let length = read(index, areBlocksLocated ? blocks[index] : rest)
      if areBlocksLocated { continue }
      guard let length else { return index + 1 }
      rest = min(rest.lowerBound + length, payload.count)..<payload.count
    }
    return header.blockCount
  }

  /// Returns whether the checksum of a block is correct.
  ///
  /// - Parameters:
  ///   - regions: The bits that the checksum covers, counted from the start of the block.
  ///   - block: The index of the block.
  /// - Returns: Nil if the block has no checksum.
  public func checksumMatches(regions: [ProtectedRegion], block: Int = 0) -> Bool? {
    guard checksums.indices.contains(block) else { return nil }
    var checksum = CRC16()
    // A single block shares its checksum with the header.
    if header.blockCount == 1 { checksum.add(header.bits, count: 56) }
    for region in regions {
      guard checksum.add(region, of: blocks[block], in: payload) else { return false }
    }
    return checksum.value == checksums[block]
  }

  /// Whether the header's own checksum is correct; nil if it has none, as with a single block.
  public var headerChecksumMatches: Bool? {
    guard let headerChecksum else { return nil }
    var checksum = CRC16()
    checksum.add(header.bits, count: 56)
    for position in positions { checksum.add(UInt64(position), count: 16) }
    return checksum.value == headerChecksum
  }
}
