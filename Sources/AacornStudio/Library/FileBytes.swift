import AacornNetwork
import AacornSystem

/// An ordinary file that can be read at any position until the studio stops.
struct FileBytes: Sendable {
  /// The file as a response body; closes the file when the last reference is released.
  let body: HTTPFile
  /// The length when the file was opened; later bytes do not count.
  let size: Int
  /// The modification time, in nanoseconds since the start of 1970.
  let modified: Int64
  private let descriptor: Int32
  private let isStopped: @Sendable () -> Bool

  init(
    _ path: String, isStopped: @escaping @Sendable () -> Bool = { false }
  ) throws(SystemError) {
    let (descriptor, status) = try System.openOrdinaryFile(path)
    self.descriptor = descriptor
    size = status.size
    modified = status.modified
    body = HTTPFile(descriptor: descriptor, count: status.size)
    self.isStopped = isStopped
  }

  /// Reads `count` bytes at `offset`, fewer only at the end of the file.
  ///
  /// Throws `interrupted` if the studio is stopping.
  func read(_ offset: Int, _ count: Int) throws(SystemError) -> [UInt8] {
    if isStopped() { throw .interrupted }
    guard count > 0, offset >= 0, offset < size else { return [] }
    var bytes = [UInt8](repeating: 0, count: min(count, size - offset))
    var filled = try System.read(descriptor, into: &bytes, at: offset)
    // Ordinary files return all requested bytes in one read, except sometimes on remote disks.
    while filled > 0 && filled < bytes.count {
      var rest = [UInt8](repeating: 0, count: bytes.count - filled)
      let added = try System.read(descriptor, into: &rest, at: offset + filled)
      if added == 0 { break }
      bytes.replaceSubrange(filled..<filled + added, with: rest[..<added])
      filled += added
    }
    bytes.removeLast(bytes.count - filled)
    return bytes
  }
}
