import AacornSystem

/// Detects changes to the files written to a folder.
///
/// No lock prevents other programs from removing files that listeners are about to request.
struct HLSFolderWatch: Sendable {
  private struct File {
    let identity: System.FileStatus.Identity
    let size: Int
    /// The change mark of the file (its timestamps), from the last time at which it was known to be
    /// unchanged.
    var mark: String
    /// The SHA-256 digest of the contents.
    let digest: [UInt8]

    /// Returns whether the file at a path is still this file with these contents, or nil if it
    /// cannot be read.
    ///
    /// The file is read only if its mark has changed: new permissions or a new time are harmless,
    /// and some file systems round times when they write them to disk.
    mutating func isUnchanged(at path: String) -> Bool? {
      guard let found = try? System.status(of: path), found.identity == identity,
        found.size == size
      else { return false }
      if found.mark == mark { return true }
      let hasContents = hasContents(path)
      if hasContents == true { mark = found.mark }
      return hasContents
    }

    /// Returns whether a file has these contents, or nil if it cannot be read.
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
  /// The names of the files, in the order in which they are checked.
  private var names: [String] = []
  private var next = 0

  /// The number of files checked per call: a complete presentation may have thousands.
  private static let filesPerPoll = 32

  /// Adds a new file.
  ///
  /// The new file replaces a watched file with the same name.
  mutating func add(_ name: String, _ status: System.FileStatus, _ contents: [UInt8]) {
    let file = File(
      identity: status.identity, size: status.size, mark: status.mark,
      digest: SHA256.digest(of: contents))
    if files.updateValue(file, forKey: name) == nil { names.append(name) }
  }

  /// Removes a file that was removed on purpose or has already been reported.
  mutating func remove(_ name: String) {
    if files.removeValue(forKey: name) == nil { return }
    guard let index = names.firstIndex(of: name) else { return }
    names.remove(at: index)
    if index < next { next -= 1 }
  }

  /// Checks the next files of a folder, or all of them, and returns the changed ones.
  ///
  /// Each change is returned once.
  ///
  /// A file that cannot be read is checked again in a later call. It counts as changed when all
  /// files are checked.
  mutating func checkFiles(in folder: String, all: Bool) -> [String] {
    var lost: [String] = []
    for _ in 0..<min(all ? .max : Self.filesPerPoll, names.count) {
      next = next < names.count ? next : 0
      let name = names[next]
      next += 1
      let isUnchanged = files[name]?.isUnchanged(at: "\(folder)/\(name)") ?? nil
      if isUnchanged == false || isUnchanged == nil && all { lost.append(name) }
    }
    for name in lost { remove(name) }
    return lost
  }
}
