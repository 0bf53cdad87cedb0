import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension System {
  private static let temporaryCount = Atomic<Int>(0)

  /// Makes a hidden file beside `path`, for bytes that are to have that name when they are complete,
  /// and takes it.
  ///
  /// It is as open to others as `model`, if there is one, from its first byte on; otherwise as the
  /// umask says.
  package static func makeTemporaryFile(
    beside path: String, like model: FileStatus?
  ) throws(SystemError) -> (path: String, descriptor: Int32) {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let folder = slash.map { String(path[...$0]) } ?? ""
    while true {
      let number = temporaryCount.wrappingAdd(1, ordering: .relaxed).newValue
      let candidate = folder + ".aacorn-\(processNumber)-\(number).tmp"
      do throws(SystemError) {
        let descriptor = try open(
          candidate, for: .creating, permissions: model == nil ? 0o666 : 0o600)
        do throws(SystemError) {
          if let model { try setAccess(of: descriptor, like: model) }
          try lock(descriptor)
        } catch {
          try? close(descriptor)
          try? remove(candidate)
          throw error
        }
        return (candidate, descriptor)
      } catch {
        // Left behind by a process that was killed and had our number.
        if error != .exists { throw error }
      }
    }
  }

  /// Gives a file the permissions of another one, and its owners where that is allowed.
  private static func setAccess(
    of descriptor: Int32, like model: FileStatus
  ) throws(SystemError) {
    var permissions = model.permissions & 0o777
    let own = try status(of: descriptor).owner
    if own != model.owner, fchown(descriptor, model.owner.user, model.owner.group) < 0 {
      // Nobody gives files away but the administrator; one's own groups can be given.
      let keepsGroup =
        own.group == model.owner.group || fchown(descriptor, own.user, model.owner.group) == 0
      // What one group was allowed is not for another one.
      if !keepsGroup { permissions &= ~0o070 | (permissions & 0o007) << 3 }
    }
    try setPermissions(of: descriptor, permissions)
  }

  /// Lets others read and write an open file, as `chmod` counts.
  package static func setPermissions(
    of descriptor: Int32, _ permissions: Int
  ) throws(SystemError) {
    if fchmod(descriptor, mode_t(permissions)) < 0 { throw .last }
  }

  /// Makes a new, empty file in the place of the one that has this name, in one step, as open to
  /// others as that, and takes it; `wouldBlock` if another program writes that one.
  package static func replaceFile(_ path: String) throws(SystemError) -> Int32 {
    // While the old one is ours, nobody else who asks replaces it.
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

  /// Where an open file is now, which may have been moved since; nil if it has been removed, or the
  /// system does not say.
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
