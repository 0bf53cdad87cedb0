#if os(Linux)
import Foundation
import SoundRigs
import StreamRigs

/// A small disk in memory that a test can fill.
///
/// It is mounted in the mount namespace of a separate program, which needs no privileges. The test
/// reaches the disk through that program.
final class SmallDisk {
  /// The path of a folder on the disk.
  let path: String
  private let keeper: KeptProgram
  private let folder: StudioFolderRig

  /// Mounts a disk with room for `byteCount` bytes.
  ///
  /// A read-only disk cannot be written to even by root.
  init(byteCount: Int, isReadOnly: Bool = false) throws {
    folder = try StudioFolderRig()
    let log = folder.path + "/log"
    let disk = folder.path + "/disk"
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
    let script =
      "mount -t tmpfs -o size=\(byteCount) none '\(disk)'"
      + " && mkdir '\(disk)/folder'"
      + (isReadOnly ? " && mount -o remount,ro '\(disk)'" : "") + " && exec sleep 600"
    keeper = try KeptProgram(
      [
        try findProgram("unshare", package: "util-linux"), "--user", "--map-root-user", "--mount",
        "sh", "-c", script,
      ], environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"], log: log)
    path = "/proc/\(keeper.number)/root\(disk)/folder"
    let files = FileManager.default
    guard eventually({ files.fileExists(atPath: path) || !keeper.isRunning }),
      files.fileExists(atPath: path)
    else {
      let words = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
      throw RigFailure("No small disk can be mounted here: \(words)")
    }
    if isReadOnly && !eventually({ !files.isWritableFile(atPath: path) }) {
      throw RigFailure("The small disk can still be written to.")
    }
  }

  deinit { keeper.end() }

  /// Fills the disk except for `byteCount` bytes.
  func fill(leaving byteCount: Int = 0) throws {
    let free = try freeByteCount()
    let count = free - byteCount
    precondition(count >= 0)
    try Data(count: count).write(to: URL(fileURLWithPath: ballast))
  }

  /// Frees the space that `fill` used.
  func empty() throws { try FileManager.default.removeItem(atPath: ballast) }

  private var ballast: String { path + "/../ballast" }

  private func freeByteCount() throws -> Int {
    let facts = try FileManager.default.attributesOfFileSystem(forPath: path)
    return (facts[.systemFreeSize] as? NSNumber)?.intValue ?? 0
  }
}
#endif
