import CAacornAtomics

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The operating system's calls, each a Swift function that throws.
///
/// Only this module calls the C library. Calls interrupted by a signal are repeated; a wait that
/// must end at an interruption uses `Interruption`.
package enum System {
  /// The purpose of an opened file.
  package enum OpenMode {
    case reading
    case writing
    /// Reads and writes an existing file.
    case changing
    /// Reads an existing file, and writes at its current end.
    case appending
    /// Creates a new file for writing and reading; throws if the name exists.
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
      case .appending: O_RDWR | O_APPEND | O_CLOEXEC | O_NOCTTY
      case .creating: O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC
      }
    return try open(path, flags: flags, permissions: permissions)
  }

  /// Opens a file with flags of the C library.
  static func open(
    _ path: String, flags: Int32, permissions: Int = 0
  ) throws(SystemError) -> Int32 {
    let name = try cString(path)
    return try repeating {
      onDisk(.open(path, creates: flags & O_CREAT != 0)) {
        openFile(name, flags, mode_t(permissions))
      }
    }
  }

  package static func close(_ descriptor: Int32) throws(SystemError) {
    // A close interrupted by a signal has still closed the descriptor, so it is not repeated.
    let result = onDisk(.close(descriptor)) { closeFile(descriptor) }
    if result < 0 && errno != EINTR { throw .last }
  }

  /// Reads up to `bytes.count - offset` bytes, and returns their number; 0 at the end of the file.
  package static func read(
    _ descriptor: Int32, into bytes: inout [UInt8], from offset: Int = 0
  ) throws(SystemError) -> Int {
    precondition(offset >= 0 && offset < bytes.count)
    return try repeating {
      unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe readFile(descriptor, UnsafeMutableRawBufferPointer(rebasing: buffer[offset...]))
      }
    }
  }

  /// Writes a part of `bytes` from `offset` on, and returns its length.
  package static func write(
    _ descriptor: Int32, _ bytes: [UInt8], from offset: Int
  ) throws(SystemError) -> Int {
    precondition(offset >= 0 && offset <= bytes.count)
    return try repeating {
      unsafe bytes.withUnsafeBytes { buffer in
        unsafe writeFile(descriptor, UnsafeRawBufferPointer(rebasing: buffer[offset...]))
      }
    }
  }

  /// Writes all of `bytes`; after an error, a part may have been written.
  package static func write(_ descriptor: Int32, _ bytes: [UInt8]) throws(SystemError) {
    var offset = 0
    while offset < bytes.count { offset += try write(descriptor, bytes, from: offset) }
  }

  /// Writes all of `bytes` at `position` without moving the file position.
  package static func write(
    _ descriptor: Int32, _ bytes: [UInt8], at position: Int
  ) throws(SystemError) {
    var offset = 0
    while offset < bytes.count {
      offset += try repeating {
        unsafe bytes.withUnsafeBytes { buffer in
          unsafe writeFile(
            descriptor, UnsafeRawBufferPointer(rebasing: buffer[offset...]), position + offset)
        }
      }
    }
  }

  /// Reads at `position` without moving the file position, and returns the number of bytes; 0 at
  /// the end of the file.
  package static func read(
    _ descriptor: Int32, into bytes: inout [UInt8], at position: Int
  ) throws(SystemError) -> Int {
    try repeating {
      unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe readFile(descriptor, buffer, position)
      }
    }
  }

  /// Fills `bytes` from `position` on without moving the file position, and returns the number of
  /// bytes: fewer only at the end of the file.
  ///
  /// Ordinary files return all requested bytes in one read, except sometimes on remote disks.
  package static func fill(
    _ bytes: inout [UInt8], from descriptor: Int32, at position: Int
  ) throws(SystemError) -> Int {
    var filled = 0
    while filled < bytes.count {
      let count = try repeating {
        unsafe bytes.withUnsafeMutableBytes { buffer in
          unsafe readFile(
            descriptor, UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]),
            position + filled)
        }
      }
      if count == 0 { break }
      filled += count
    }
    return filled
  }

  /// Reads from the file position to the end of the file, but at most one block more than `limit`
  /// bytes.
  package static func contents(
    of descriptor: Int32, limit: Int = .max
  ) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 16_384)
    while bytes.count <= limit {
      let count = try read(descriptor, into: &block)
      if count == 0 { break }
      bytes += block[..<count]
    }
    return bytes
  }

  /// Reads into memory at `position` without moving the file position, and returns the number of
  /// bytes; 0 at the end of the file.
  package static func read(
    _ descriptor: Int32, into memory: UnsafeMutableRawBufferPointer, at position: Int
  ) throws(SystemError) -> Int {
    try repeating { unsafe readFile(descriptor, memory, position) }
  }

  /// Truncates a file, or extends it with zeros.
  package static func truncate(_ descriptor: Int32, to size: Int) throws(SystemError) {
    _ = try repeating { onDisk(.truncate(descriptor)) { ftruncate(descriptor, off_t(size)) } }
  }

  /// Flushes the written data to disk, without metadata such as times.
  package static func synchronizeData(_ descriptor: Int32) throws(SystemError) {
    #if canImport(Darwin)
    try synchronize(descriptor)
    #else
    try flush(descriptor, fdatasync)
    #endif
  }

  /// Flushes the folder that contains a file to disk.
  package static func synchronizeFolder(of path: String) throws(SystemError) {
    let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) }
    let descriptor: Int32
    do throws(SystemError) {
      descriptor = try open(folder ?? ".", for: .reading)
    } catch {
      // A user may have permission to write to a folder but not to list it, and then cannot flush it.
      if error == .accessDenied || error == .notPermitted { return }
      throw error
    }
    defer { try? close(descriptor) }
    try synchronize(descriptor)
  }

  /// Sets the file position, the offset of the next byte to read or write.
  package static func seek(_ descriptor: Int32, to position: Int) throws(SystemError) {
    if lseek(descriptor, off_t(position), SEEK_SET) < 0 { throw .last }
  }

  /// Returns the file position, the offset of the next byte to read or write.
  package static func position(in descriptor: Int32) throws(SystemError) -> Int {
    let position = lseek(descriptor, 0, SEEK_CUR)
    if position < 0 { throw .last }
    return Int(position)
  }

  /// Flushes the written data and metadata of a file to disk.
  package static func synchronize(_ descriptor: Int32) throws(SystemError) {
    try flush(descriptor, fsync)
  }

  private static func flush(
    _ descriptor: Int32, _ call: (Int32) -> Int32
  ) throws(SystemError) {
    let result = onDisk(.synchronize(descriptor)) { call(descriptor) }
    // Some file systems do not support this; that is not an error of the file.
    if result != 0 && ![EINVAL, ENOTSUP, EROFS, EINTR].contains(errno) { throw .last }
  }

  package static func rename(_ path: String, to newPath: String) throws(SystemError) {
    let (name, newName) = (try cString(path), try cString(newPath))
    if onDisk(.rename(path, to: newPath), { renameFile(name, newName) }) < 0 { throw .last }
  }

  /// Renames a file or folder in one step; throws if the new name exists.
  ///
  /// Returns false, and changes nothing, where the system cannot do that.
  static func renameToNew(_ path: String, _ newPath: String) throws(SystemError) -> Bool {
    #if os(Linux)
    let (name, newName) = (try cString(path), try cString(newPath))
    let call = { unsafe aacorn_rename_new(name, newName) }
    if onDisk(.rename(path, to: newPath), call) >= 0 { return true }
    // The errors of a system or file system without this call.
    if ![EINVAL, ENOSYS, ENOTSUP].contains(errno) { throw .last }
    #endif
    return false
  }

  /// Creates a hard link; throws if the new name exists.
  package static func link(_ path: String, to newPath: String) throws(SystemError) {
    let (name, newName) = (try cString(path), try cString(newPath))
    if onDisk(.link(path, to: newPath), { linkFile(name, newName) }) < 0 { throw .last }
  }

  package static func remove(_ path: String) throws(SystemError) {
    let name = try cString(path)
    if onDisk(.remove(path), { unsafe unlink(name) }) < 0 { throw .last }
  }

  package static func removeFolder(_ path: String) throws(SystemError) {
    let name = try cString(path)
    if onDisk(.removeFolder(path), { unsafe rmdir(name) }) < 0 { throw .last }
  }

  /// Creates a folder with `permissions`, a `chmod` mode, less the umask, and flushes its name to
  /// disk.
  ///
  /// If the flush fails, the new folder is removed, so that another attempt flushes it. Only a
  /// folder that another program has already filled stays.
  package static func makeFolder(
    _ path: String, permissions: Int = 0o777
  ) throws(SystemError) {
    var path = path
    while path.count > 1 && path.hasSuffix("/") { path.removeLast() }
    let name = try cString(path)
    let mode = mode_t(permissions & 0o777)
    if onDisk(.makeFolder(path), { unsafe mkdir(name, mode) }) < 0 { throw .last }
    do throws(SystemError) {
      try synchronizeFolder(of: path)
    } catch {
      try? removeFolder(path)
      throw error
    }
  }

  /// Returns the absolute path without symbolic links and dots.
  package static func resolved(_ path: String) throws(SystemError) -> String {
    guard let real = unsafe realpath(try cString(path), nil) else { throw .last }
    defer { unsafe free(real) }
    return unsafe text(at: real)
  }

  /// Returns whether a path is a symbolic link to a missing target.
  ///
  /// The target must not be created: in a folder where any user may create links, such as `/tmp`,
  /// another user could then choose the location of files.
  package static func isBrokenLink(_ path: String) -> Bool {
    (try? statusOfLink(path))?.kind == .link && (try? status(of: path)) == nil
  }

  /// Returns the names in a folder, without `.` and `..`, unsorted.
  package static func names(inFolder path: String) throws(SystemError) -> [String] {
    try names(inFolder: path, prefix: "")
  }

  /// Returns the names in a folder that begin with `prefix`, without `.` and `..`, unsorted.
  static func names(
    inFolder path: String, prefix: String
  ) throws(SystemError) -> [String] {
    guard let folder = unsafe opendir(try cString(path)) else { throw .last }
    defer { unsafe _ = closedir(folder) }
    let beginning = prefix.utf8.map { CChar(bitPattern: $0) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field -> String? in
        let start = unsafe UnsafeRawPointer(field).assumingMemoryBound(to: CChar.self)
        // Do not decode the other names, of which a folder may have millions.
        if unsafe strncmp(start, beginning, beginning.count) != 0 { return nil }
        return unsafe text(at: start)
      }
      if let name, name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  private static func text(at start: UnsafePointer<CChar>) -> String {
    unsafe PathText.decode(UnsafeRawBufferPointer(start: start, count: strlen(start)))
  }

  /// Returns the bytes of a path with a terminating zero for C.
  static func cString(_ path: String) throws(SystemError) -> [CChar] {
    var bytes = PathText.encode(path).map { CChar(bitPattern: $0) }
    // The system would end the path at a zero byte and open another file.
    if bytes.contains(0) { throw .notFound }
    bytes.append(0)
    return bytes
  }

  /// Repeats a call that a signal interrupts, and returns its result.
  static func repeating<Result: SignedInteger>(
    _ body: () -> Result
  ) throws(SystemError) -> Result {
    while true {
      let result = body()
      if result >= 0 { return result }
      if errno != EINTR { throw .last }
    }
  }
}

// These functions are outside `System`, in which the names of C functions would refer to members.

private func openFile(_ path: [CChar], _ flags: Int32, _ permissions: mode_t) -> Int32 {
  unsafe open(path, flags, permissions)
}

private func closeFile(_ descriptor: Int32) -> Int32 { close(descriptor) }

private func readFile(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
  onDisk(.read(descriptor), bytes.count) { unsafe read(descriptor, bytes.baseAddress, $0) }
}

private func readFile(
  _ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer, _ position: Int
) -> Int {
  onDisk(.read(descriptor), bytes.count) {
    unsafe pread(descriptor, bytes.baseAddress, $0, off_t(position))
  }
}

private func writeFile(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  onDisk(.write(descriptor, at: nil), bytes.count) {
    unsafe write(descriptor, bytes.baseAddress, $0)
  }
}

private func writeFile(
  _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ position: Int
) -> Int {
  onDisk(.write(descriptor, at: position), bytes.count) {
    unsafe pwrite(descriptor, bytes.baseAddress, $0, off_t(position))
  }
}

private func renameFile(_ path: [CChar], _ newPath: [CChar]) -> Int32 {
  unsafe rename(path, newPath)
}

private func linkFile(_ path: [CChar], _ newPath: [CChar]) -> Int32 { unsafe link(path, newPath) }
