import AacornSignal

/// Tags before, between and after the frames of files and HLS segments.
enum StreamTag {
  /// The number of bytes needed to recognize a tag.
  static let lookAhead = 24

  /// Returns the length of the tag at the head of `buffer`, or nil if there is no tag.
  static func length(in buffer: StreamBuffer) -> Int? {
    id3v2Length(buffer) ?? apeLength(buffer) ?? (begins(in: buffer, at: 0, with: "TAG") ? 128 : nil)
  }

  /// Returns the length of the tag at the start of `bytes`, or nil if there is no tag.
  static func length(in bytes: [UInt8]) -> Int? {
    var buffer = StreamBuffer()
    buffer.append(bytes.span)
    return length(in: buffer)
  }

  /// Returns whether the bytes at `index` look like the beginning of a tag.
  static func begins(in buffer: StreamBuffer, at index: Int) -> Bool {
    begins(in: buffer, at: index, with: "ID3") || begins(in: buffer, at: index, with: "TAG")
      || begins(in: buffer, at: index, with: "APE")
  }

  /// Returns the length of ID3v2: "ID3", version:16, flags:8, size:32 (7 bits a byte), content.
  private static func id3v2Length(_ buffer: StreamBuffer) -> Int? {
    guard buffer.count >= 10, begins(in: buffer, at: 0, with: "ID3"),
      (2...4).contains(buffer[3]), buffer[4] != 0xFF, buffer[5] & 0x0F == 0
    else { return nil }
    var size = 0
    for index in 6..<10 {
      guard buffer[index] < 0x80 else { return nil }
      size = size << 7 | Int(buffer[index])
    }
    let hasFooter = buffer[5] & 0x10 != 0
    return 10 + size + (hasFooter ? 10 : 0)
  }

  /// Returns the length of APE: "APETAGEX", version:32, size:32, items:32, flags:32, reserved:64.
  ///
  /// Numbers are little-endian. `size` counts the bytes after a header. A tag without a header is
  /// found only by its footer, after its items.
  private static func apeLength(_ buffer: StreamBuffer) -> Int? {
    guard buffer.count >= 24, begins(in: buffer, at: 0, with: "APETAGEX"), buffer[15] < 0x10,
      let size = buffer.word(at: 12, byteCount: 4, isBigEndian: false)
    else { return nil }
    let isHeader = buffer[23] & 0x20 != 0
    return isHeader ? 32 + Int(size) : 32
  }

  private static func begins(
    in buffer: StreamBuffer, at index: Int, with name: StaticString
  ) -> Bool {
    guard index + name.utf8CodeUnitCount <= buffer.count else { return false }
    for position in 0..<name.utf8CodeUnitCount {
      guard unsafe buffer[index + position] == name.utf8Start[position] else { return false }
    }
    return true
  }
}
