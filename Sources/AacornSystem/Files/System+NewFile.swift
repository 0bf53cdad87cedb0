#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension System {
  private static let temporaryCount = Atomic<Int>(0)

  /// Creates and locks a hidden file in the folder of `path`, for data that is renamed to `path`
  /// once complete.
  ///
  /// From the first byte on, the file has the permissions of `model`, or, without a model,
  /// `permissions` less the umask.
  package static func makeTemporaryFile(
    beside path: String, like model: FileStatus?, permissions: Int = 0o666
  ) throws(SystemError) -> (path: String, descriptor: Int32) {
    removeLeftovers(beside: path)
    let folder = folder(of: path)
    while true {
      let number = temporaryCount.add(1) + 1
      let candidate = folder + temporaryName(number)
      do throws(SystemError) {
        let descriptor = try open(
          candidate, for: .creating, permissions: model == nil ? permissions : 0o600)
        do throws(SystemError) {
          if let model { try setAccess(of: descriptor, like: model) }
          try lock(descriptor)
          // Until it was locked, another process may have removed the file as a leftover.
          let created = try status(of: descriptor).identity
          if (try? statusOfLink(candidate))?.identity != created { throw .exists }
        } catch {
          try? close(descriptor)
          // After `exists`, the name may belong to another process.
          if error != .exists { try? remove(candidate) }
          throw error
        }
        return (candidate, descriptor)
      } catch {
        // A killed process with the same process number has left this file.
        if error != .exists { throw error }
      }
    }
  }

  /// Copies the permissions of another file, and its owner and group where the system allows it.
  package static func setAccess(
    of descriptor: Int32, like model: FileStatus
  ) throws(SystemError) {
    var permissions = model.permissions & 0o777
    let own = try status(of: descriptor).owner
    if own != model.owner, fchown(descriptor, model.owner.user, model.owner.group) < 0 {
      // Only the administrator may change the owner of a file. The owner may choose any group that
      // they belong to.
      let keepsGroup =
        own.group == model.owner.group || fchown(descriptor, own.user, model.owner.group) == 0
      // Do not grant the permissions of one group to another.
      if !keepsGroup { permissions &= ~0o070 | (permissions & 0o007) << 3 }
    }
    try setPermissions(of: descriptor, permissions)
  }

  /// Sets the permissions of an open file, as a `chmod` mode.
  package static func setPermissions(
    of descriptor: Int32, _ permissions: Int
  ) throws(SystemError) {
    if fchmod(descriptor, mode_t(permissions)) < 0 { throw .last }
  }

  /// Atomically replaces the file at `path` with a new, empty and locked file with the same
  /// permissions; throws `wouldBlock` if another program is writing the old file.
  package static func replaceFile(_ path: String) throws(SystemError) -> Int32 {
    // While this program holds the lock of the old file, no other program that uses locks replaces
    // it.
    let held = try takeFile(path)
    defer { if let held { try? close(held) } }
    let (temporary, descriptor) = try makeTemporaryFile(beside: path, like: try status(of: path))
    do throws(SystemError) {
      try rename(temporary, to: path)
    } catch {
      try? close(descriptor)
      try? remove(temporary)
      throw error
    }
    return descriptor
  }

  /// Returns the current path of an open file, which may have been moved; nil if it has been
  /// removed, or the system does not report its path.
  package static func path(of descriptor: Int32) -> String? {
    #if os(Linux)
    guard let path = linkTarget("/proc/self/fd/\(descriptor)") else { return nil }
    #else
    guard let path = knownPath(descriptor) else { return nil }
    #endif
    guard let there = try? status(of: path), let own = try? status(of: descriptor) else {
      return nil
    }
    return there.identity == own.identity ? path : nil
  }

  #if os(Linux)
  private static func linkTarget(_ path: String) -> String? {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(path, &target, target.count)
    if count <= 0 { return nil }
    return PathText.decode(target[..<count].map { UInt8(bitPattern: $0) })
  }
  #else
  private static func knownPath(_ descriptor: Int32) -> String? {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let result = unsafe target.withUnsafeMutableBytes { buffer in
      guard let start = buffer.baseAddress else { return Int32(-1) }
      return unsafe fcntl(descriptor, F_GETPATH, start)
    }
    if result < 0 { return nil }
    return PathText.decode(target.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) })
  }
  #endif
}
