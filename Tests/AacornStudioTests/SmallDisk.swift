#if os(Linux)
import Foundation
import SoundRigs
import StreamRigs

/// A small disk of a test's own, in memory, which fills up as others do.
///
/// It is mounted where only a program of its own sees it, for which nobody needs rights; that
/// program is how the test gets there.
final class SmallDisk {
  /// A folder on it.
  let path: String
  private let keeper: KeptProgram
  private let place: StudioFolderRig

  /// A disk with room for so many bytes and so many files and folders besides its own, or one that
  /// nobody can write to, who may do everything included.
  init(byteCount: Int, fileCount: Int = 1000, isReadOnly: Bool = false) throws {
    place = try StudioFolderRig()
    let log = place.path + "/log"
    let disk = place.path + "/disk"
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
    // The top of the disk and the folder on it are two of its files.
    let script =
      "mount -t tmpfs -o size=\(byteCount),nr_inodes=\(fileCount + 2) none '\(disk)'"
      + " && mkdir '\(disk)/folder'"
      + (isReadOnly ? " && mount -o remount,ro '\(disk)'" : "") + " && exec sleep 600"
    keeper = try KeptProgram(
      [
        try findProgram("unshare", package: "util-linux"), "--user", "--map-root-user", "--mount",
        "sh", "-c", script,
      ], environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"], log: log)
    path = "/proc/\(keeper.number)/root\(disk)/folder"
    let files = FileManager.default
    guard comesTrue({ files.fileExists(atPath: path) || !keeper.isRunning }),
      files.fileExists(atPath: path)
    else {
      let words = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
      throw StudioClient.Failure(description: "No small disk can be mounted here: \(words)")
    }
    if isReadOnly && !comesTrue({ !files.isWritableFile(atPath: path) }) {
      throw StudioClient.Failure(description: "The small disk can still be written to.")
    }
  }

  deinit { keeper.end() }

  /// Takes the room on it but for so many bytes.
  func fill(leaving byteCount: Int = 0) throws {
    let free = try freeByteCount()
    let count = free - byteCount
    precondition(count >= 0)
    try Data(count: count).write(to: URL(fileURLWithPath: ballast))
  }

  /// Gives the room back.
  func empty() throws { try FileManager.default.removeItem(atPath: ballast) }

  private var ballast: String { path + "/../ballast" }

  private func freeByteCount() throws -> Int {
    let facts = try FileManager.default.attributesOfFileSystem(forPath: path)
    return (facts[.systemFreeSize] as? NSNumber)?.intValue ?? 0
  }
}
#endif
