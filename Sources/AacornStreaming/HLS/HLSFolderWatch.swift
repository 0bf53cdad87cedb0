import AacornSystem

/// Tracks whether the files put into a folder are unchanged: no lock keeps other programs from
/// removing what listeners are about to fetch.
struct HLSFolderWatch: Sendable {
  private struct File {
    let identity: System.FileStatus.Identity
    let size: Int
    /// What tells whether anybody has touched it, as of when it was known to be unchanged.
    var mark: String
    /// Of its contents.
    let digest: [UInt8]

    /// Whether the file at a path is still this one with these contents; nil if it cannot be read.
    ///
    /// It is read only if it was touched: to be given other rights or another time harms nothing, and some
    /// file systems round times when they write them to disk.
    mutating func isUnchanged(at path: String) -> Bool? {
      guard let found = try? System.status(of: path), found.identity == identity,
        found.size == size
      else { return false }
      if found.mark == mark { return true }
      let hasContents = hasContents(path)
      if hasContents == true { mark = found.mark }
      return hasContents
    }

    /// Whether a file has these contents; nil if it cannot be read.
    private func hasContents(_ path: String) -> Bool? {
      guard let descriptor = try? System.open(path, for: .reading, waits: false) else { return nil }
      defer { try? System.close(descriptor) }
      var sum = SHA256()
      var block = [UInt8](repeating: 0, count: 65_536)
      var position = 0
      while position < size {
        guard let count = try? System.read(descriptor, into: &block, at: position) else {
          return nil
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
      identity: status.identity, size: status.size, mark: status.mark,
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
  ///
  /// What cannot be read is looked at again the next time, and counts as changed when all are checked.
  mutating func look(in folder: String, atAll: Bool) -> [String] {
    var lost: [String] = []
    for _ in 0..<min(atAll ? .max : Self.turn, names.count) {
      next = next < names.count ? next : 0
      let name = names[next]
      next += 1
      let isUnchanged = files[name]?.isUnchanged(at: "\(folder)/\(name)") ?? nil
      if isUnchanged == false || isUnchanged == nil && atAll { lost.append(name) }
    }
    for name in lost { remove(name) }
    return lost
  }
}
