import AacornCodec
import AacornInspection

/// A row of the frame table as bytes, little-endian.
///
///      0  number, offset and position of the first sample, each a Float64
///     24  bytes; used bits or −1; bits in the reservoir or −1; sampling rate, each an Int32
///     40  profile's object type, channels, window sequences of two channels or 255, each a byte
///     44  0, 0; faults as an UInt16
enum RowBytes {
  static let length = 48

  static func append(_ row: FrameRow, to bytes: inout [UInt8]) {
    append(Double(row.number).bitPattern, to: &bytes)
    append(Double(row.offset).bitPattern, to: &bytes)
    append(Double(row.samplePosition).bitPattern, to: &bytes)
    append(Int32(clamping: row.byteCount), to: &bytes)
    append(Int32(clamping: row.usedBits ?? -1), to: &bytes)
    append(Int32(clamping: row.reservoirBits ?? -1), to: &bytes)
    append(Int32(clamping: row.sampleRate), to: &bytes)
    bytes.append(row.profile.rawValue)
    bytes.append(UInt8(clamping: row.channelCount))
    bytes.append(row.firstWindow?.rawValue ?? 255)
    bytes.append(row.secondWindow?.rawValue ?? 255)
    append(UInt16(0), to: &bytes)
    append(UInt16(clamping: row.faultCount), to: &bytes)
  }

  private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
    var rest = value
    for _ in 0..<value.bitWidth / 8 {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }
}
