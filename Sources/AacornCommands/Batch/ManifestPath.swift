import AacornRecording
import AacornSystem

// Paths are compared as bytes: names need not be text, and texts that look alike are two names.
extension ManifestLine {
  /// The number of a path.
  static func number(of path: String) -> UInt64 { number(of: plain(path)) }

  /// The number of a path without what means nothing.
  static func number(of path: [UInt8]) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in path { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    // The upper bits of this sum know little of the last bytes.
    hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
    return hash ^ hash >> 33
  }

  /// The bytes of a path.
  static func bytes(of path: String) -> [UInt8] {
    // Whatever stands for a byte that is no text begins with this one.
    path.utf8.contains(0xF4) ? PathText.encode(path) : Array(path.utf8)
  }

  /// The bytes of a path without what means nothing: empty parts and single dots.
  ///
  /// Links are not followed, so that it costs no disk.
  static func plain(_ path: String) -> [UInt8] {
    let (slash, dot) = (UInt8(ascii: "/"), UInt8(ascii: "."))
    let bytes = bytes(of: path)
    var plain: [UInt8] = []
    plain.reserveCapacity(bytes.count)
    func endPart() {
      guard plain.last == dot, plain.count == 1 || plain[plain.count - 2] == slash else { return }
      plain.removeLast()
    }
    for byte in bytes {
      if byte == slash {
        endPart()
        // A slash is kept behind a part, or as the root.
        if plain.last == slash || plain.isEmpty && bytes.first != slash { continue }
      }
      plain.append(byte)
    }
    endPart()
    if plain.count > 1, plain.last == slash { plain.removeLast() }
    return plain
  }
}
