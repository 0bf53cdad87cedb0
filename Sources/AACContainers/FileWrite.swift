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
}
