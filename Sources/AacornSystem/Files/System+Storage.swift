#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension System {
  /// The properties of the file at a path or of an open descriptor.
  package struct FileStatus: Equatable {
    /// The kinds of files that this program distinguishes.
    package enum Kind { case file, folder, link, other }

    /// The identity of a file, equal under all its names.
    package struct Identity: Hashable {
      let device: UInt64
      let number: UInt64
    }

    package let kind: Kind
    package let size: Int
    /// The time of the last change of the contents, in nanoseconds since the start of 1970.
    package let modified: Int64
    /// The time of the last change of the contents or metadata, which no program can set.
    private let changed: Int64
    /// The permissions as a `chmod` mode.
    package let permissions: Int
    package let identity: Identity
    /// The number of names (hard links); 0 for an open file that was removed.
    package let linkCount: Int
    /// Whether the file belongs to this program's user or the administrator, so that no other user
    /// can change it or grant access to it.
    package var isOwnedByUserOrRoot: Bool { owner.user == geteuid() || owner.user == 0 }
    /// A text that changes when a program writes to the file, replaces it or sets its times, within
    /// the resolution of the file system's clock.
    ///
    /// Some file systems change it without such an access.
    package var mark: String {
      [identity.number, UInt64(bitPattern: changed)].map { String($0, radix: 16) }.joined(
        separator: "-")
    }
    /// The user ID and group ID of the owner.
    let owner: (user: UInt32, group: UInt32)

    fileprivate init(_ status: stat) {
      switch mode_t(status.st_mode) & S_IFMT {
      case S_IFREG: kind = .file
      case S_IFDIR: kind = .folder
      case S_IFLNK: kind = .link
      default: kind = .other
      }
      size = Int(status.st_size)
      #if canImport(Darwin)
      let (modification, change) = (status.st_mtimespec, status.st_ctimespec)
      #else
      let (modification, change) = (status.st_mtim, status.st_ctim)
      #endif
      modified = System.nanoseconds(of: modification)
      changed = System.nanoseconds(of: change)
      permissions = Int(status.st_mode & 0o7777)
      identity = Identity(
        device: UInt64(truncatingIfNeeded: status.st_dev),
        number: UInt64(truncatingIfNeeded: status.st_ino))
      linkCount = Int(status.st_nlink)
      owner = (UInt32(status.st_uid), UInt32(status.st_gid))
    }

    /// Whether two files are the same, with the same size and modification time.
    package func hasContent(of other: FileStatus) -> Bool {
      identity == other.identity && size == other.size && modified == other.modified
    }

    package static func == (one: FileStatus, other: FileStatus) -> Bool {
      one.identity == other.identity && one.kind == other.kind && one.size == other.size
        && one.modified == other.modified && one.permissions == other.permissions
        && one.linkCount == other.linkCount && one.owner == other.owner
    }
  }

  /// Returns the status of the file at `path`; follows a symbolic link.
  package static func status(of path: String) throws(SystemError) -> FileStatus {
    var status = stat()
    if unsafe stat(try cString(path), &status) < 0 { throw .last }
    return FileStatus(status)
  }

  /// Returns the status of the file at `path`; does not follow a symbolic link.
  package static func statusOfLink(_ path: String) throws(SystemError) -> FileStatus {
    var status = stat()
    if unsafe lstat(try cString(path), &status) < 0 { throw .last }
    return FileStatus(status)
  }

  package static func status(of descriptor: Int32) throws(SystemError) -> FileStatus {
    var status = stat()
    if unsafe fstat(descriptor, &status) < 0 { throw .last }
    return FileStatus(status)
  }
}

extension System {
  /// Opens an ordinary file for reading; throws for a symbolic link, and for a pipe, which could
  /// block.
  package static func openOrdinaryFile(
    _ path: String
  ) throws(SystemError) -> (descriptor: Int32, status: FileStatus) {
    let descriptor = try open(
      path, flags: O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | O_NONBLOCK)
    do throws(SystemError) {
      let status = try status(of: descriptor)
      if status.kind == .folder { throw .isFolder }
      if status.kind != .file { throw .notPermitted }
      return (descriptor, status)
    } catch {
      try? close(descriptor)
      throw error
    }
  }

  /// Renames a file or folder; throws if the new name exists.
  package static func move(_ path: String, to newPath: String) throws(SystemError) {
    guard try linkOrRename(path, to: newPath) else { return }
    do throws(SystemError) {
      // A power failure must not keep only the removal.
      try? synchronizeFolder(of: newPath)
      try remove(path)
    } catch {
      // Another program has already removed the old name.
      if error == .notFound { return }
      // If the old name cannot be removed, remove the new one, so that the file has only one name.
      try? remove(newPath)
      throw error
    }
  }

  /// Names a complete file; throws if the name exists.
  ///
  /// The temporary name may remain if the system cannot remove it.
  package static func name(_ temporaryPath: String, _ path: String) throws(SystemError) {
    if try linkOrRename(temporaryPath, to: path) { try? remove(temporaryPath) }
  }

  /// Links or renames a file; throws if the new name exists.
  ///
  /// Returns whether the old name remains.
  private static func linkOrRename(
    _ path: String, to newPath: String
  ) throws(SystemError) -> Bool {
    if try renameToNew(path, newPath) { return false }
    do throws(SystemError) {
      // Unlike a rename, a link never replaces a file that appeared in the meantime.
      try link(path, to: newPath)
      return true
    } catch {
      if error == .exists || error == .notFound { throw error }
      // Folders cannot be linked, and some file systems have no links at all.
      if (try? statusOfLink(newPath)) != nil { throw .exists }
      try rename(path, to: newPath)
      return false
    }
  }

  /// Throws if this program may not create files in a folder, as far as the system shows that
  /// without writing.
  ///
  /// The disk may still be full.
  package static func checkWriting(into folder: String) throws(SystemError) {
    if unsafe faccessat(AT_FDCWD, try cString(folder), W_OK | X_OK, AT_EACCESS) != 0 { throw .last }
  }

  /// Returns the number of bytes that this program can still write on the disk of a file or folder;
  /// nil if unknown.
  package static func freeBytes(at path: String) -> Int? {
    var status = statvfs()
    // A disk without a limit has no blocks, nor has one whose server does not report them.
    guard let name = try? cString(path), unsafe statvfs(name, &status) == 0, status.f_blocks > 0
    else { return nil }
    // The disk may hold a reserve for the superuser.
    let blockCount = geteuid() == 0 ? status.f_bfree : status.f_bavail
    let (count, isHuge) = UInt64(blockCount).multipliedReportingOverflow(
      by: UInt64(status.f_frsize))
    return isHuge ? .max : Int(clamping: count)
  }
}
