import AacornSystem

/// Tracks whether the files put into a folder are unchanged: no lock keeps other programs from
/// removing what listeners are about to fetch.
struct HLSFolderWatch: Sendable {
  private struct File {
    let identity: System.FileStatus.Identity
    let size: Int
    /// When it was changed last, as far as that is known to be harmless.
    var modified: Int64
    /// Of its contents.
    let digest: [UInt8]

    /// When the file at a path was changed last, if it is still this one with these contents; nil if it
    /// is not.
    func harmlessTime(at path: String) -> Int64? {
      guard let found = try? System.status(of: path), found.identity == identity,
        found.size == size
      else { return nil }
      return found.modified == modified || hasContents(path) ? found.modified : nil
    }

    /// Whether a file has these contents, or cannot be read: some file systems round times when they
    /// write them to disk, or take them from another computer.
    private func hasContents(_ path: String) -> Bool {
      guard let descriptor = try? System.open(path, for: .reading, waits: false) else {
        return true
      }
      defer { try? System.close(descriptor) }
      var sum = SHA256()
      var block = [UInt8](repeating: 0, count: 65_536)
      var position = 0
      while position < size {
        guard let count = try? System.read(descriptor, into: &block, at: position) else {
          return true
        }
        if count == 0 { break }
        sum.append(block[..<count])
        position += count
      }
      return sum.finish() == digest
    }
  }

  private var files: [String: File] = [:]
  /// Their names, in the order in which they are checked.
  private var names: [String] = []
  private var next = 0

  /// Files checked per turn: a complete presentation may have thousands.
  private static let turn = 32

  /// Records a new file, perhaps replacing one with that name.
  mutating func add(_ name: String, _ status: System.FileStatus, _ contents: [UInt8]) {
    let file = File(
      identity: status.identity, size: status.size, modified: status.modified,
      digest: SHA256.digest(of: contents))
    if files.updateValue(file, forKey: name) == nil { names.append(name) }
  }

  /// Records that a file is no longer ours.
  mutating func remove(_ name: String) {
    if files.removeValue(forKey: name) == nil { return }
    guard let index = names.firstIndex(of: name) else { return }
    names.remove(at: index)
    if index < next { next -= 1 }
  }

  /// Checks the next files of a folder, or all; files that have changed are reported once.
  mutating func look(in folder: String, atAll: Bool) -> [String] {
    var lost: [String] = []
    for _ in 0..<min(atAll ? .max : Self.turn, names.count) {
      next = next < names.count ? next : 0
      let name = names[next]
      next += 1
      if let time = files[name]?.harmlessTime(at: "\(folder)/\(name)") {
        files[name]?.modified = time
      } else {
        lost.append(name)
      }
    }
    for name in lost { remove(name) }
    return lost
  }
}
