import AacornSystem

/// Tracks whether the files put into a folder are unchanged: no lock keeps other programs from
/// removing what listeners are about to fetch.
struct HLSFolderWatch: Sendable {
  private struct File {
    let identity: System.FileStatus.Identity
    let size: Int
  }

  private var files: [String: File] = [:]
  /// Their names, in the order in which they are checked.
  private var names: [String] = []
  private var next = 0

  /// Files checked per turn: a complete presentation may have thousands.
  private static let turn = 32

  /// Records a new file, perhaps replacing one with that name.
  mutating func add(_ name: String, _ status: System.FileStatus) {
    let file = File(identity: status.identity, size: status.size)
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
      let found = try? System.status(of: "\(folder)/\(name)")
      if found?.identity != files[name]?.identity || found?.size != files[name]?.size {
        lost.append(name)
      }
    }
    for name in lost { remove(name) }
    return lost
  }
}
