/// A transport stream of empty packets.
let transportStream: [UInt8] = (0..<20).flatMap { _ in
  [0x47, 0x1F, 0xFF, 0x10] + [UInt8](repeating: 0xFF, count: 184)
}

/// Silent MP3 frames at 128 kb/s and 44.1 kHz, preceded by a tag if its length is not 0.
func mp3File(tagByteCount: Int) -> [UInt8] {
  let frame: [UInt8] = [0xFF, 0xFB, 0x90, 0x64] + [UInt8](repeating: 0, count: 413)
  return (tagByteCount > 0 ? tag(byteCount: tagByteCount) : [])
    + (0..<20).flatMap { _ in frame }
}

/// An ID3 tag with `byteCount` bytes after its header.
func tag(byteCount: Int) -> [UInt8] {
  let size = [21, 14, 7, 0].map { UInt8(truncatingIfNeeded: byteCount >> $0) & 0x7F }
  return Array("ID3".utf8) + [4, 0, 0] + size + [UInt8](repeating: 0, count: byteCount)
}
