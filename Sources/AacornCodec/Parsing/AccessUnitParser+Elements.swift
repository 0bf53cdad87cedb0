/// The elements that are neither a single channel nor a pair.
extension AccessUnitParser {
  /// coupling_channel_element (ISO/IEC 14496-3, table 4.8).
  mutating func readCoupling(_ element: inout ParsedElement) throws(ParseError) {
    let isIndependent = reader.bits.readFlag()
    var listCount = 0
    for _ in 0...reader.bits.readInt(3) {
      let isPair = reader.bits.readFlag()
      reader.bits.skip(4)
      listCount += 1
      if isPair && reader.bits.readInt(2) == 3 { listCount += 1 }
    }
    reader.bits.skip(1 + 1 + 2)
    try readSingle(&element)
    for _ in 1..<max(listCount, 1) {
      if isIndependent || reader.bits.readFlag() {
        _ = reader.readDifference()
      } else {
        for codebook in block.channelPool[element.firstChannel].codebooks where codebook != 0 {
          _ = reader.readDifference()
        }
      }
    }
  }

  /// data_stream_element (table 4.10).
  mutating func readData(_ element: inout ParsedElement) {
    let isAligned = reader.bits.readFlag()
    var count = reader.bits.readInt(8)
    if count == 255 { count += reader.bits.readInt(8) }
    if isAligned { reader.bits.alignToByte() }
    element.byteCount = count
    reader.bits.skip(count * 8)
  }

  /// program_config_element (table 4.2).
  mutating func readProgramConfig() throws(ParseError) {
    // The tag has been read and belongs to the element.
    reader.seek(to: reader.position - 4)
    guard let program = ProgramConfig(reading: &reader.bits, origin: 0) else {
      throw reader.failure(reader.bits.isOverrun ? .truncated : .programConfig)
    }
    block.programConfig = program
  }

  /// fill_element (table 4.11) and the extension payloads in it (table 4.57).
  mutating func readFill(_ element: inout ParsedElement) {
    var count = reader.bits.readInt(4)
    if count == 15 { count += reader.bits.readInt(8) - 1 }
    element.byteCount = count
    while count > 0 && !reader.bits.isOverrun {
      let start = reader.position
      let kind = ParsedExtension.Kind(rawValue: UInt8(reader.bits.readInt(4)))
      let used: Int
      switch kind {
      case .dataElement: used = min(dataElementLength(), count)
      case .dynamicRange: used = min(dynamicRangeLength(), count)
      default: used = count
      }
      if kind == .fill || kind == .fillData { block.fillByteCount += used }
      // Lengths inside an extension can be wrong; the fill element's own count is authoritative.
      reader.seek(to: start + used * 8)
      block.extensions.append(
        ParsedExtension(
          kind: kind, element: block.elements.count, bits: start..<reader.position))
      count -= used
    }
  }

  /// Bytes of ancillary data, including the 4 bits of the kind; the position afterwards is
  /// undefined.
  private mutating func dataElementLength() -> Int {
    if reader.bits.readInt(4) != 0 { return .max }
    var length = 0
    var used = 1
    var part = 255
    while part == 255 && !reader.bits.isOverrun {
      part = reader.bits.readInt(8)
      length += part
      used += 1
    }
    return used + length
  }

  /// Bytes of dynamic_range_info (table 4.59), including the 4 bits of the kind.
  private mutating func dynamicRangeLength() -> Int {
    let start = reader.position - 4
    if reader.bits.readFlag() { reader.bits.skip(8) }
    if reader.bits.readFlag() {
      while reader.bits.readInt(8) & 1 != 0 && !reader.bits.isOverrun {}
    }
    var bandCount = 1
    if reader.bits.readFlag() {
      bandCount += reader.bits.readInt(4)
      reader.bits.skip(4 + 8 * bandCount)
    }
    if reader.bits.readFlag() { reader.bits.skip(8) }
    reader.bits.skip(8 * bandCount)
    return (reader.position - start + 7) / 8
  }
}
