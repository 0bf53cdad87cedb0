/// Bytes and their place in a file.
public struct FileWrite: Equatable, Sendable {
  /// Where the bytes go, counted from the start of the file.
  public let offset: UInt64
  /// The bytes.
  public let bytes: [UInt8]
  /// Whether everything written before must be on disk before these bytes are written.
  ///
  /// Such a write makes earlier writes valid; if it came too early, a power cut could leave it
  /// alone on disk.
  public let needsSync: Bool

  /// Bytes for a position in the file.
  public init(offset: UInt64, bytes: [UInt8], needsSync: Bool = false) {
    self.offset = offset
    self.bytes = bytes
    self.needsSync = needsSync
  }

  /// Writes the bytes into a file held in memory, filling any gap after its end with zeros.
  package func apply(to file: inout [UInt8]) {
    let start = Int(offset)
    let end = start + bytes.count
    if end > file.count { file += [UInt8](repeating: 0, count: end - file.count) }
    file.replaceSubrange(start..<end, with: bytes)
  }
}
