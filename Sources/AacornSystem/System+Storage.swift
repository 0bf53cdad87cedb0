#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension System {
  /// Opens an ordinary file for reading; throws for a symbolic link, and for a pipe, which could
  /// block.
  package static func openOrdinaryFile(
    _ path: String
  ) throws(SystemError) -> (descriptor: Int32, status: FileStatus) {
    let descriptor = onDisk(.open(path, creates: false)) {
      openWithoutLink(PathText.encode(path))
    }
    if descriptor < 0 { throw .last }
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
    do throws(SystemError) {
      // Unlike a rename, a link never replaces a file that appeared in the meantime.
      try link(path, to: newPath)
    } catch {
      if error == .exists || error == .notFound { throw error }
      // Folders cannot be linked, and some file systems have no links at all.
      if (try? statusOfLink(newPath)) != nil { throw .exists }
      return try rename(path, to: newPath)
    }
    do throws(SystemError) {
      try remove(path)
    } catch {
      // If the old name cannot be removed, remove the new one, so that the file has only one name.
      try? remove(newPath)
      throw error
    }
  }

  /// Throws if this program may not create files in a folder, as far as the system shows that
  /// without writing.
  ///
  /// The disk may still be full.
  package static func checkWriting(into folder: String) throws(SystemError) {
    let path = PathText.encode(folder)
    if path.contains(0) { throw .notFound }
    let name = path.map { CChar(bitPattern: $0) } + [0]
    if unsafe faccessat(AT_FDCWD, name, W_OK | X_OK, AT_EACCESS) != 0 { throw .last }
  }

  /// Returns the number of bytes that ordinary users can still write on the disk of a file or
  /// folder; nil if unknown.
  package static func freeBytes(at path: String) -> Int? {
    var status = statvfs()
    let bytes = PathText.encode(path).map { CChar(bitPattern: $0) } + [0]
    guard unsafe statvfs(bytes, &status) == 0 else { return nil }
    let (count, isHuge) = UInt64(status.f_bavail).multipliedReportingOverflow(
      by: UInt64(status.f_frsize))
    return isHuge ? .max : Int(clamping: count)
  }
}

private func openWithoutLink(_ path: [UInt8]) -> Int32 {
  // The system would end the path at a zero byte and open another file.
  if path.contains(0) {
    errno = ENOENT
    return -1
  }
  let path = path.map { CChar(bitPattern: $0) } + [0]
  let flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | O_NONBLOCK
  while true {
    let descriptor = unsafe open(path, flags)
    if descriptor >= 0 || errno != EINTR { return descriptor }
  }
}
