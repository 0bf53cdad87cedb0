#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension System {
  /// The folders that this process has searched for leftovers.
  private static let searchedFolders = Lock<Set<String>>([])
  private static let maxSearchedFolderCount = 4096

  private static let temporaryPrefix = ".aacorn-"
  private static let temporarySuffix = ".tmp"

  /// The name of a temporary file of this process.
  static func temporaryName(_ number: Int) -> String {
    "\(temporaryPrefix)\(processNumber)-\(number)\(temporarySuffix)"
  }

  /// Returns the folder of a path with a slash at its end; empty for the working folder.
  package static func folder(of path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? ""
  }

  /// Removes the temporary files that killed processes have left in the folder of `path`.
  ///
  /// A file is removed only if it has the name of a temporary file, its process has ended, and no
  /// process has locked it. Files are removed only from local disks, because the process may run on
  /// another machine, and not all network disks share locks. On Apple's systems, which do not show
  /// the type of a disk, the file must be a day old instead. Each folder is searched once.
  package static func removeLeftovers(beside path: String) {
    // A simulation has its own disk calls and no killed processes.
    if SimulatedThread.current != nil { return }
    let folder = folder(of: path)
    let isNew = searchedFolders.withLock { folders in
      if folders.count >= maxSearchedFolderCount { folders = [] }
      return folders.insert(folder).inserted
    }
    if isNew { removeLeftovers(inFolder: folder) }
  }

  /// Removes leftovers from a folder, whose path is empty or ends with a slash.
  package static func removeLeftovers(inFolder folder: String) {
    let path = folder.isEmpty ? "." : folder
    guard isOnLocalDisk(path), let names = try? names(inFolder: path, prefix: temporaryPrefix)
    else { return }
    for name in names {
      // This process locks its own files. In a container, every run may have the same number.
      guard let process = process(ofTemporary: name),
        process == processNumber || !isRunning(process),
        let (descriptor, status) = try? openOrdinaryFile(folder + name)
      else { continue }
      defer { try? close(descriptor) }
      guard isOldEnough(status), flock(descriptor, LOCK_EX | LOCK_NB) == 0,
        (try? statusOfLink(folder + name))?.identity == status.identity
      else { continue }
      try? remove(folder + name)
    }
  }

  /// Returns the process number in the name of a temporary file; nil for another name.
  private static func process(ofTemporary name: String) -> Int32? {
    guard name.hasPrefix(temporaryPrefix), name.hasSuffix(temporarySuffix) else { return nil }
    let numbers = name.dropFirst(temporaryPrefix.count).dropLast(temporarySuffix.count).split(
      separator: "-", omittingEmptySubsequences: false)
    guard numbers.count == 2, numbers.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) }),
      Int(numbers[1]) != nil, let process = Int32(numbers[0]), process > 0
    else { return nil }
    return process
  }

  private static func isRunning(_ process: Int32) -> Bool {
    // Signal 0 is not sent, but its recipient is checked.
    kill(process, 0) == 0 || errno != ESRCH
  }

  #if os(Linux)
  /// The types of disks of one machine, in the list of mounts.
  private static let localDiskTypes: Set<Substring> = [
    "bcachefs", "btrfs", "exfat", "ext2", "ext3", "ext4", "f2fs", "fuseblk", "hfsplus", "jfs",
    "ntfs3", "overlay", "ramfs", "reiserfs", "tmpfs", "ubifs", "vfat", "xfs", "zfs",
  ]

  private static func isOnLocalDisk(_ path: String) -> Bool {
    guard let device = try? status(of: path).identity.device,
      let mounts = text(ofFile: "/proc/self/mountinfo")
    else { return false }
    // The encoding of `dev_t`.
    let major = device >> 8 & 0xFFF | device >> 32 & ~0xFFF
    let minor = device & 0xFF | device >> 12 & 0xFFFF_FF00
    let number = "\(major):\(minor)"
    // “36 35 98:0 / /mnt rw,noatime master:1 - ext3 /dev/root rw,errors=continue”
    for line in mounts.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count > 2, words[2] == number, let mark = words.firstIndex(of: "-"),
        mark + 1 < words.count
      else { continue }
      // A type may have a subtype, such as “fuse.sshfs”.
      let type = words[mark + 1].prefix { $0 != "." }
      return localDiskTypes.contains(type)
    }
    // Some local disks, such as Btrfs, have device numbers that the list lacks.
    return true
  }

  private static func isOldEnough(_ status: FileStatus) -> Bool { true }
  #else
  private static func isOnLocalDisk(_ path: String) -> Bool { true }

  private static func isOldEnough(_ status: FileStatus) -> Bool {
    wallNanoseconds - status.modified > 86_400_000_000_000
  }
  #endif
}
