import AacornRecording
import AacornSystem

// Paths are compared as bytes: file names may not be valid text, and equal Unicode texts may be two
// names.
extension ManifestLine {
  /// Returns the number of a normalized path.
  static func number(of path: String) -> UInt64 { number(of: normalized(path)) }

  /// Returns the FNV-1a hash of a path's bytes.
  static func number(of path: [UInt8]) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in path { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    // Mix the bits: without mixing, the last bytes of a path hardly affect the upper bits of the
    // hash.
    hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
    return hash ^ hash >> 33
  }

  /// Returns the bytes of a path.
  static func bytes(of path: String) -> [UInt8] {
    // The placeholder of a byte that is not valid UTF-8 begins with 0xF4.
    path.utf8.contains(0xF4) ? PathText.encode(path) : Array(path.utf8)
  }

  /// Returns the bytes of a path without empty components and single dots.
  ///
  /// Links are not resolved, so the disk is not accessed.
  static func normalized(_ path: String) -> [UInt8] {
    let slash = UInt8(ascii: "/")
    let bytes = bytes(of: path)
    let parts = bytes.split(separator: slash).filter { !$0.elementsEqual(".".utf8) }
    return (bytes.first == slash ? [slash] : []) + parts.joined(separator: [slash])
  }
}
