/// Fill elements, and the extensions that they may contain (ISO/IEC 14496-3, 4.5.2.9).
extension FrameReader {
  /// Reads fill_element (table 4.11) and the extension payloads in it.
  mutating func readFill(_ element: inout ParsedElement) {
    var count = reader.bits.readInt(4)
    if count == 15 { count += reader.bits.readInt(8) - 1 }
    element.byteCount = count
    while count > 0 && !reader.bits.isOverrun { count -= readExtension(byteCount: count) }
  }

  /// Reads extension_payload (table 4.57) of at most `byteCount` bytes; returns its number of
  /// bytes.
  private mutating func readExtension(byteCount: Int) -> Int {
    let start = reader.position
    let kind = ExtensionPayload.Kind(rawValue: UInt8(reader.bits.readInt(4)))
    let used: Int
    switch kind {
    case .dataElement: used = min(dataElementLength(), byteCount)
    case .dynamicRange: used = min(dynamicRangeLength(), byteCount)
    default: used = byteCount
    }
    if kind == .fill || kind == .fillData { block.fillByteCount += used }
    // Lengths inside an extension can be wrong; the fill element's own count is authoritative.
    reader.seek(to: start + used * 8)
    block.extensions.append(
      ExtensionPayload(
        kind: kind, element: block.elements.count, bits: start..<reader.position))
    return used
  }

  /// Returns the number of bytes of ancillary data, including the 4 bits of the kind.
  ///
  /// The position afterwards is undefined.
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

  /// Returns the number of bytes of dynamic_range_info (table 4.59), including the kind's 4 bits.
  private mutating func dynamicRangeLength() -> Int {
    let start = reader.position - 4
    block.lastDynamicRange.read(&reader.bits)
    block.hasDynamicRange = !reader.bits.isOverrun
    return (reader.position - start + 7) / 8
  }
}
