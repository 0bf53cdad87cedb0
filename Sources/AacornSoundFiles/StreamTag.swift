/// Tags before, between and after the frames of files and HLS segments: ID3v2, APE and ID3v1.
package enum StreamTag {
  /// The number of bytes needed to recognize a tag.
  package static let lookAhead = 24

  /// The first bytes of tags: of "ID3", "APETAGEX" and "TAG".
  package static var firstBytes: [UInt8] { [0x49, 0x41, 0x54] }

  /// Returns whether a tag can begin with a byte.
  package static func mayBegin(with byte: UInt8) -> Bool {
    byte == 0x49 || byte == 0x41 || byte == 0x54
  }

  /// Returns the length of the tag at the start of `bytes`; nil if there is no tag.
  package static func byteCount(_ bytes: Span<UInt8>) -> Int? {
    switch bytes.word(at: 0).map({ $0 >> 8 }) {
    case 0x49_44_33: FileKind.tagByteCount(bytes)
    case 0x41_50_45: apeByteCount(bytes)
    // "TAG": an ID3v1 tag.
    case 0x54_41_47: 128
    default: nil
    }
  }

  /// Returns the length of the consecutive tags at the start of `bytes`, of which the last may be
  /// longer than the remaining bytes; 0 without a tag.
  package static func totalByteCount(_ bytes: Span<UInt8>) -> Int {
    var end = 0
    while end < bytes.count, let count = byteCount(bytes.extracting(end..<bytes.count)) {
      end += count
    }
    return end
  }

  /// Returns the length of APE: "APETAGEX", version:32, size:32, items:32, flags:32, reserved:64.
  ///
  /// Numbers are little-endian. `size` counts the bytes after a header. A tag without a header is
  /// found only by its footer, after its items.
  private static func apeByteCount(_ bytes: Span<UInt8>) -> Int? {
    guard bytes.count >= lookAhead, bytes.word(at: 0) == fourCC("APET"),
      bytes.word(at: 4) == fourCC("AGEX"), bytes[15] < 0x10, let size = bytes.word(at: 12)
    else { return nil }
    let isHeader = bytes[23] & 0x20 != 0
    // No real tag is longer than 1 GiB, and an Int may have 32 bits.
    return isHeader ? 32 + Int(min(size.byteSwapped, 1 << 30)) : 32
  }
}
