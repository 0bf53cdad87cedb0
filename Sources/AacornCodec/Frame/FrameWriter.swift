/// Writes raw_data_blocks (ISO/IEC 14496-3, 4.4.2.1), or counts their bits.
///
/// Its counterpart, function by function, is `FrameReader`: `read…` here is `put…` or `write…`.
/// `put…` writes to any sink of bits, including a `BitCounter`. `write…` requires a `BitWriter`,
/// since it ends in a spectrum, whose bits are counted when sections are chosen.
struct FrameWriter<Bits: BitSink & Sendable>: Sendable {
  /// The writer of channel parts, after all previous bits of the block.
  var writer: ChannelWriter<Bits>
  /// The bit ranges that an ADTS checksum covers, in order (1.A.3.2).
  private(set) var protectedRegions: [ProtectedRegion] = []
  /// The bits of the block's channels, without fill elements.
  private(set) var channelBitCount = 0

  init(_ bits: Bits) {
    writer = ChannelWriter(bits)
  }

  var bitCount: Int { writer.bits.bitCount }

  /// Writes an element's id and, except in a fill element and at the end, its tag.
  mutating func putStart(of kind: ElementKind, tag: Int = 0) {
    writer.bits.put(UInt32(kind.rawValue), count: 3)
    if kind != .fill && kind != .end { writer.bits.put(UInt32(tag), count: 4) }
  }

  /// Writes all fields of an element except sections, scalefactors and spectra.
  mutating func putOverhead(of element: Element, _ channels: [ChannelFrame]) {
    putStart(of: element.kind, tag: element.tag)
    if element.kind == .pair { putPairHeader(element) }
    for channel in element.channels {
      writer.putStreamHeader(globalGain: 0, window: element.streamWindow)
      writer.putTools(channels[channel].noiseShaping)
    }
  }
}

extension FrameWriter where Bits == BitWriter {
  init(byteCapacity: Int) {
    self.init(BitWriter(byteCapacity: byteCapacity))
    protectedRegions.reserveCapacity(16)
  }

  /// Writes raw_data_block (table 4.3), filled up to `end` bits if it is shorter.
  ///
  /// `replication` contains the band replication payload after each element; it is empty in AAC-LC.
  mutating func write(
    _ elements: inout [Element], _ channels: inout [ChannelFrame], _ tables: CodeTables,
    replication: [BitWriter], fillingTo end: Int
  ) {
    writer.bits.removeAll()
    protectedRegions.removeAll(keepingCapacity: true)
    for index in elements.indices {
      writeElement(&elements[index], &channels, tables)
      if index < replication.count && replication[index].bitCount > 0 {
        putReplication(replication[index])
      }
    }
    channelBitCount = bitCount
    putFill(until: end)
    putStart(of: .end)
    writer.bits.alignToByte()
  }

  private mutating func writeElement(
    _ element: inout Element, _ channels: inout [ChannelFrame], _ tables: CodeTables
  ) {
    let start = bitCount
    putStart(of: element.kind, tag: element.tag)
    var secondStream: Int?
    if element.kind == .pair {
      secondStream = writePair(&element, &channels, tables)
    } else {
      writeSingle(&element, &channels, tables)
    }
    protect(start..<bitCount, secondStream: secondStream)
  }

  /// Adds the regions of an element that an ADTS checksum covers (1.A.3.2).
  private mutating func protect(_ bits: Range<Int>, secondStream: Int?) {
    let start = bits.lowerBound + 3
    let end = bits.upperBound
    protectedRegions.append(.channels(start..<end))
    if let secondStream { protectedRegions.append(.secondChannel(secondStream..<end)) }
  }

  /// Appends the block, padded with zeros to whole bytes, to `bytes`.
  func append(to bytes: inout [UInt8]) { writer.bits.append(to: &bytes) }
}
