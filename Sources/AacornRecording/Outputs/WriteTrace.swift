import AacornSystem

/// The length and the first bytes of a written file, for detecting changes by other programs.
///
/// If another program overwrites bytes after the first kilobyte without changing the length, the
/// change is not detected.
struct WriteTrace: Sendable {
  private(set) var byteCount = 0
  /// The first bytes of the file, at most `headLength`.
  private(set) var head: [UInt8] = []

  /// The maximum number of bytes in `head`: enough to include the creation time, which
  /// distinguishes M4A files.
  private static let headLength = 1024

  /// Records bytes that were written at an offset.
  mutating func record(_ bytes: [UInt8], at offset: Int) {
    for (index, byte) in zip(offset..<max(offset, Self.headLength), bytes) {
      if index < head.count { head[index] = byte } else { head.append(byte) }
    }
    byteCount = max(byteCount, offset + bytes.count)
  }

  /// Records that bytes at the end were removed.
  mutating func cut(to byteCount: Int) {
    self.byteCount = byteCount
    head.removeLast(max(0, head.count - byteCount))
  }

  /// Returns whether the file has another length than was written.
  ///
  /// Check before writing more, which would hide the change.
  func hasOtherLength(_ descriptor: Int32) -> Bool {
    guard let status = try? System.status(of: descriptor) else { return false }
    return status.size != byteCount
  }

  /// Returns whether the file has the length and the first bytes that were written.
  func isIntact(_ descriptor: Int32) throws(SystemError) -> Bool {
    if hasOtherLength(descriptor) { return false }
    return try Self.head(of: descriptor, count: head.count) == head
  }

  /// Returns the first bytes of the file at a path.
  static func head(of path: String) throws(SystemError) -> [UInt8] {
    let descriptor = try System.open(path, for: .reading)
    defer { try? System.close(descriptor) }
    return try head(of: descriptor, count: headLength)
  }

  private static func head(of descriptor: Int32, count: Int) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let filled = try System.fill(&bytes, from: descriptor, at: 0)
    return Array(bytes.prefix(filled))
  }
}
