/// The start of a LOAS frame: sync word and length (ISO/IEC 14496-3, 1.7.2).
struct LOASHeader: FrameHeader {
  static let fixedByteCount = 3
  static let firstByte: UInt8 = 0x56

  let frameLength: Int

  init?(bits: UInt64) {
    if Self.fault(in: bits) != nil { return nil }
    frameLength = Self.fixedByteCount + Int(truncatingIfNeeded: bits & 0x1FFF)
  }

  static func fault(in bits: UInt64) -> StreamDamage.Kind? {
    if bits >> 13 != 0x2B7 { return .garbage }
    return bits & 0x1FFF == 0 ? .frameTooShort : nil
  }

  // The header contains only the sync word and the length, so all headers agree.
  func agrees(with other: LOASHeader) -> Bool { true }
  func isNearDuplicate(of other: LOASHeader) -> Bool { false }
}
