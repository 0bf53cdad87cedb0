import AacornSystem

/// The files that were put into a folder, and whether they are still as they were put: no lock keeps
/// others from removing what listeners are about to fetch.
struct HLSFolderWatch: Sendable {
  private struct File {
    let identity: System.FileStatus.Identity
    let size: Int
  }

  private var files: [String: File] = [:]
  /// Their names, in the order in which they are looked at.
  private var names: [String] = []
  private var next = 0

  /// Files that are looked at in a turn: a complete presentation may have thousands.
  private static let turn = 32

  /// A file was put, perhaps in the place of one of that name.
  mutating func add(_ name: String, _ status: System.FileStatus) {
    let file = File(identity: status.identity, size: status.size)
    if files.updateValue(file, forKey: name) == nil { names.append(name) }
  }

  /// A file is not ours any more.
  mutating func remove(_ name: String) {
    if files.removeValue(forKey: name) == nil { return }
    guard let index = names.firstIndex(of: name) else { return }
    names.remove(at: index)
    if index < next { next -= 1 }
  }

  /// Looks at the next files of a folder, or at all; those that are not as they were put are told
  /// once.
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
