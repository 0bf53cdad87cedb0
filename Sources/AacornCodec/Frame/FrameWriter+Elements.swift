/// The elements with channels; `ProgramConfig` writes program config elements.
extension FrameWriter where Bits == BitWriter {
  /// Writes single_channel_element (table 4.4) and lfe_channel_element (table 4.9).
  mutating func writeSingle(
    _ element: inout Element, _ channels: inout [ChannelFrame], _ tables: CodeTables
  ) {
    writer.writeStream(&channels[element.channels.lowerBound], &element, tables)
  }

  /// Writes channel_pair_element (table 4.5); returns the start of the second channel's stream.
  mutating func writePair(
    _ element: inout Element, _ channels: inout [ChannelFrame], _ tables: CodeTables
  ) -> Int {
    putPairHeader(element)
    let first = element.channels.lowerBound
    writer.writeStream(&channels[first], &element, tables)
    let secondStream = bitCount
    writer.writeStream(&channels[first + 1], &element, tables)
    return secondStream
  }
}

extension FrameWriter {
  /// Writes the fields before a pair's streams: the shared windows and the M/S mask.
  mutating func putPairHeader(_ element: Element) {
    writer.bits.put(1, count: 1)
    writer.putWindowInfo(element.windowInfo)
    putMidSideMask(element)
  }

  private mutating func putMidSideMask(_ element: Element) {
    let mask = element.midSideMask
    writer.bits.put(UInt32(mask.rawValue), count: 2)
    guard mask == .perBand else { return }
    for band in 0..<element.layout.bandCount {
      writer.bits.put(element.midSide.flags[band] ? 1 : 0, count: 1)
    }
  }
}
