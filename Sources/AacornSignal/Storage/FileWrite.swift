/// Bytes and their place in a file.
public struct FileWrite: Equatable, Sendable {
  /// Where the bytes begin, counted from the start of the file.
  public let offset: UInt64
  /// The bytes.
  public let bytes: [UInt8]
  /// Whether everything written before must be on the disk before these bytes go there.
  ///
  /// Such a write makes valid what others prepared; done too early, a power cut could leave it
  /// alone on the disk.
  public let needsSync: Bool

  /// Bytes for a place.
  public init(offset: UInt64, bytes: [UInt8], needsSync: Bool = false) {
    self.offset = offset
    self.bytes = bytes
    self.needsSync = needsSync
  }

  /// Puts the bytes in their place in a file that is held in memory; what lies between its end and
  /// that place is zeros.
  package func apply(to file: inout [UInt8]) {
    let start = Int(offset)
    let end = start + bytes.count
    if end > file.count { file += [UInt8](repeating: 0, count: end - file.count) }
    file.replaceSubrange(start..<end, with: bytes)
  }
}
