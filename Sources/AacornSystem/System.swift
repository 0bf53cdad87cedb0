#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The operating system's file calls, each a Swift function that throws.
///
/// This module is the only one that calls the C library. Calls interrupted by a signal are
/// repeated; waiting that must notice an interruption belongs to `Interruption`.
package enum System {
  /// What to open a file for.
  package enum OpenMode {
    case reading
    case writing
    /// Reads and writes an existing file.
    case changing
    /// The same, but follows no symbolic link, for which `tooManyLinks` is thrown.
    case changingItself
    /// Opens a file that must exist, for reading, and for writing at its end, wherever that is by then.
    case appending
    /// Creates a file that must not exist yet, for writing and reading.
    case creating
  }

  package static let standardInput: Int32 = 0
  package static let standardOutput: Int32 = 1
  package static let standardError: Int32 = 2

  /// Opens a file; a created file gets `permissions`, a `chmod` mode, less the umask.
  package static func open(
    _ path: String, for mode: OpenMode, permissions: Int = 0o666
  ) throws(SystemError) -> Int32 {
    let flags =
      switch mode {
      case .reading: O_RDONLY | O_CLOEXEC | O_NOCTTY
      case .writing: O_WRONLY | O_CLOEXEC | O_NOCTTY
      case .changing: O_RDWR | O_CLOEXEC | O_NOCTTY
      case .changingItself: O_RDWR | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW
      case .appending: O_RDWR | O_APPEND | O_CLOEXEC | O_NOCTTY
      case .creating: O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC
      }
    let path = try cString(path)
    return try repeating { openFile(path, flags, mode_t(permissions)) }
  }

  package static func close(_ descriptor: Int32) throws(SystemError) {
    // A close interrupted by a signal has closed nonetheless, so it is not repeated.
    if closeFile(descriptor) < 0 && errno != EINTR { throw .last }
  }

  /// Reads up to `bytes.count - offset` bytes; 0 means the end.
  package static func read(
    _ descriptor: Int32, into bytes: inout [UInt8], from offset: Int = 0
  ) throws(SystemError) -> Int {
    precondition(offset >= 0 && offset < bytes.count)
    while true {
      let count = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe readFile(descriptor, UnsafeMutableRawBufferPointer(rebasing: buffer[offset...]))
      }
      if count >= 0 { return count }
      if errno != EINTR { throw .last }
    }
  }

  /// Writes some of `bytes`, starting at `offset`, and returns how many.
  package static func write(
    _ descriptor: Int32, _ bytes: [UInt8], from offset: Int
  ) throws(SystemError) -> Int {
    precondition(offset >= 0 && offset <= bytes.count)
    while true {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe writeFile(descriptor, UnsafeRawBufferPointer(rebasing: buffer[offset...]))
      }
      if count >= 0 { return count }
      if errno != EINTR { throw .last }
    }
  }

  /// Writes all of `bytes` at a position of the file without moving the file's own position.
  package static func write(
    _ descriptor: Int32, _ bytes: [UInt8], at position: Int
  ) throws(SystemError) {
    var offset = 0
    while offset < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe writeFile(
          descriptor, UnsafeRawBufferPointer(rebasing: buffer[offset...]), position + offset)
      }
      if count < 0 && errno != EINTR { throw .last }
      offset += max(0, count)
    }
  }

  /// Reads at a position of the file without moving the file's own position; 0 means the end.
  package static func read(
    _ descriptor: Int32, into bytes: inout [UInt8], at position: Int
  ) throws(SystemError) -> Int {
    while true {
      let count = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe readFile(descriptor, buffer, position)
      }
      if count >= 0 { return count }
      if errno != EINTR { throw .last }
    }
  }

  /// Truncates a file, or extends it with zeros.
  package static func truncate(_ descriptor: Int32, to size: Int) throws(SystemError) {
    _ = try repeating { ftruncate(descriptor, off_t(size)) }
  }

  /// Flushes the written data to disk, without metadata such as times.
  package static func synchronizeData(_ descriptor: Int32) throws(SystemError) {
    #if canImport(Darwin)
    try synchronize(descriptor)
    #else
    if fdatasync(descriptor) != 0 && ![EINVAL, ENOTSUP, EROFS, EINTR].contains(errno) {
      throw .last
    }
    #endif
  }

  /// Flushes the directory that contains a file to disk.
  package static func synchronizeFolder(of path: String) throws(SystemError) {
    let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) }
    // A user may be allowed to write into a folder but not to list it, and then cannot flush it.
    guard let descriptor = try? open(folder ?? ".", for: .reading) else { return }
    defer { try? close(descriptor) }
    try synchronize(descriptor)
  }

  /// Moves the place where the next byte is read or written, counted from the file's start.
  package static func seek(_ descriptor: Int32, to position: Int) throws(SystemError) {
    if lseek(descriptor, off_t(position), SEEK_SET) < 0 { throw .last }
  }

  /// The place where the next byte is read or written.
  package static func position(in descriptor: Int32) throws(SystemError) -> Int {
    let position = lseek(descriptor, 0, SEEK_CUR)
    if position < 0 { throw .last }
    return Int(position)
  }

  /// Flushes what was written to disk.
  package static func synchronize(_ descriptor: Int32) throws(SystemError) {
    // Some file systems do not support fsync; that does not mean the file is at fault.
    if fsync(descriptor) != 0 && ![EINVAL, ENOTSUP, EROFS, EINTR].contains(errno) { throw .last }
  }

  package static func rename(_ path: String, to newPath: String) throws(SystemError) {
    if renameFile(try cString(path), try cString(newPath)) < 0 { throw .last }
  }

  /// Gives a file a second name that must not exist yet.
  package static func link(_ path: String, to newPath: String) throws(SystemError) {
    if linkFile(try cString(path), try cString(newPath)) < 0 { throw .last }
  }

  package static func remove(_ path: String) throws(SystemError) {
    if unsafe unlink(try cString(path)) < 0 { throw .last }
  }

  package static func removeFolder(_ path: String) throws(SystemError) {
    if unsafe rmdir(try cString(path)) < 0 { throw .last }
  }

  /// Creates a folder with `permissions`, a `chmod` mode, less the umask.
  package static func makeFolder(
    _ path: String, permissions: Int = 0o777
  ) throws(SystemError) {
    if unsafe mkdir(try cString(path), mode_t(permissions & 0o777)) < 0 { throw .last }
  }

  /// The path without symbolic links and dots.
  package static func resolved(_ path: String) throws(SystemError) -> String {
    guard let real = unsafe realpath(try cString(path), nil) else { throw .last }
    defer { unsafe free(real) }
    return unsafe text(at: real)
  }

  /// Whether a path is a symbolic link whose target does not exist.
  ///
  /// The target is not created: where anyone may make links, such as in `/tmp`, another user could
  /// then choose where files go.
  package static func isBrokenLink(_ path: String) -> Bool {
    (try? statusOfLink(path))?.kind == .link && (try? status(of: path)) == nil
  }

  /// The names in a folder, without `.` and `..`, in no particular order.
  package static func names(inFolder path: String) throws(SystemError) -> [String] {
    guard let folder = unsafe opendir(try cString(path)) else { throw .last }
    defer { unsafe _ = closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
        unsafe text(at: UnsafeRawPointer(field).assumingMemoryBound(to: CChar.self))
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  private static func text(at start: UnsafePointer<CChar>) -> String {
    unsafe PathText.decode(UnsafeRawBufferPointer(start: start, count: strlen(start)))
  }

  /// The bytes of a path with C's terminating zero.
  private static func cString(_ path: String) throws(SystemError) -> [CChar] {
    var bytes = PathText.encode(path).map { CChar(bitPattern: $0) }
    // A zero byte inside would silently name another file.
    if bytes.contains(0) { throw .notFound }
    bytes.append(0)
    return bytes
  }

  private static func repeating(_ body: () -> Int32) throws(SystemError) -> Int32 {
    while true {
      let result = body()
      if result >= 0 { return result }
      if errno != EINTR { throw .last }
    }
  }
}

extension System {
  /// What a path or a descriptor stands for.
  package struct FileStatus: Equatable {
    /// The kinds of file that matter here.
    package enum Kind { case file, folder, link, other }

    /// Identifies a file under all its names.
    package struct Identity: Hashable {
      let device: UInt64
      let number: UInt64
    }

    package let kind: Kind
    package let size: Int
    /// When its contents last changed, in nanoseconds since the start of 1970.
    package let modified: Int64
    /// When anything about it last changed, which no program can set.
    private let changed: Int64
    /// The permissions as a `chmod` mode.
    package let permissions: Int
    package let identity: Identity
    /// How many names it has; none if it was removed and is still open.
    package let linkCount: Int
    /// Whether it belongs to this program's user or the administrator, so that nobody else can
    /// change it or grant access to it.
    package var isInOwnHands: Bool { owner.user == geteuid() || owner.user == 0 }
    /// What is other once anybody has written to it, replaced it or set its times, as far as the file system's
    /// clock tells; some file systems change it by themselves.
    package var mark: String {
      [identity.number, UInt64(bitPattern: changed)].map { String($0, radix: 16) }.joined(
        separator: "-")
    }
    /// The numbers of its user and its group.
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

    package static func == (one: FileStatus, other: FileStatus) -> Bool {
      one.identity == other.identity && one.kind == other.kind && one.size == other.size
        && one.modified == other.modified && one.permissions == other.permissions
        && one.linkCount == other.linkCount && one.owner == other.owner
    }
  }

  /// The status of `path`, or of its target if it is a symbolic link.
  package static func status(of path: String) throws(SystemError) -> FileStatus {
    var status = stat()
    if unsafe stat(try cString(path), &status) < 0 { throw .last }
    return FileStatus(status)
  }

  /// The status of `path`, or of the link itself if it is one.
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

// Inside `System` these names would mean its own members.

private func openFile(_ path: [CChar], _ flags: Int32, _ permissions: mode_t) -> Int32 {
  unsafe open(path, flags, permissions)
}

private func closeFile(_ descriptor: Int32) -> Int32 { close(descriptor) }

private func readFile(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
  unsafe read(descriptor, bytes.baseAddress, bytes.count)
}

private func readFile(
  _ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer, _ position: Int
) -> Int {
  unsafe pread(descriptor, bytes.baseAddress, bytes.count, off_t(position))
}

private func writeFile(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  unsafe write(descriptor, bytes.baseAddress, bytes.count)
}

private func writeFile(
  _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ position: Int
) -> Int {
  unsafe pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(position))
}

private func renameFile(_ path: [CChar], _ newPath: [CChar]) -> Int32 {
  unsafe rename(path, newPath)
}

private func linkFile(_ path: [CChar], _ newPath: [CChar]) -> Int32 { unsafe link(path, newPath) }
