#if os(Linux)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Reports when the entries of a folder or their permissions change, with inotify.
///
/// Opening or reading an entry is not a change.
package final class FolderWatch: Sendable {
  /// The descriptor to wait for, which is readable after a change.
  package let descriptor: Int32

  /// Creates a watch without a folder; nil if the system has no descriptors left.
  package init?() {
    descriptor = noted(inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC)))
    if descriptor < 0 { return nil }
  }

  deinit { try? System.close(descriptor) }

  /// Watches the folder at `path`; returns false if it does not exist.
  package func add(_ path: String) -> Bool {
    let changes = IN_CREATE | IN_DELETE | IN_ATTRIB | IN_MOVED_FROM | IN_MOVED_TO | IN_ONLYDIR
    guard let name = try? System.cString(path) else { return false }
    return unsafe inotify_add_watch(descriptor, name, UInt32(changes)) >= 0
  }

  /// Clears the reported changes.
  package func drain() {
    // A read into less than a whole entry fails, and an entry with the longest name has 272 bytes.
    var bytes = [UInt8](repeating: 0, count: 4096)
    while let count = try? System.read(descriptor, into: &bytes), count > 0 {}
  }
}
#endif
