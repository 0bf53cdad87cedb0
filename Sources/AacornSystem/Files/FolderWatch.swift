#if os(Linux)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Waits for changes of folders, with inotify.
///
/// A folder changes when it is created or removed, or when its entries or their permissions change.
/// Opening or reading an entry is not a change. A folder whose parent does not exist is noticed at
/// the next call of `wait`.
package final class FolderWatch: Sendable {
  private let paths: [String]
  private let descriptor: Int32
  private let pipe: WakePipe
  /// The system's numbers of the folders; −1 for a folder that does not exist.
  private let numbers: Lock<[Int32]>

  /// Starts to watch folders; nil if the system has no descriptors left.
  package init?(_ paths: [String]) {
    guard let pipe = WakePipe() else { return nil }
    self.pipe = pipe
    self.paths = paths.map { path in
      String(path.reversed().drop { $0 == "/" }.reversed())
    }
    numbers = Lock([])
    descriptor = noted(inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC)))
    if descriptor < 0 { return nil }
    _ = hasChanged
  }

  deinit { try? System.close(descriptor) }

  /// Ends the current wait and all later ones, from any thread.
  package func end() { pipe.wake() }

  /// Whether the end was requested.
  package var isEnding: Bool { System.isReadable(pipe.reading) }

  /// Waits until a folder changes; returns false on timeout, or if the end was requested.
  ///
  /// A negative number means no limit. Only one thread may wait.
  package func wait(milliseconds: Int = -1) -> Bool {
    let deadline = System.nanoseconds + Int64(milliseconds) * 1_000_000
    while true {
      if isEnding { return false }
      if hasChanged { return true }
      let rest = milliseconds < 0 ? -1 : max(0, Int(deadline - System.nanoseconds) / 1_000_000)
      if rest == 0 { return false }
      _ = System.wait(forAny: [pipe.reading, descriptor], milliseconds: rest)
    }
  }

  /// Whether a folder has changed since the last query.
  private var hasChanged: Bool {
    let changed = takeEvents()
    // Adding a folder that is already watched has no effect.
    let new = paths.map { path in
      _ = add(System.folder(of: path))
      return add(path)
    }
    return numbers.withLock { numbers in
      defer { numbers = new }
      // The number −1 means that the system has dropped events.
      return numbers != new || !changed.isDisjoint(with: numbers + [-1])
    }
  }

  private func add(_ path: String) -> Int32 {
    let changes = IN_CREATE | IN_DELETE | IN_ATTRIB | IN_MOVED_FROM | IN_MOVED_TO | IN_ONLYDIR
    guard let name = try? System.cString(path) else { return -1 }
    return unsafe inotify_add_watch(descriptor, name, UInt32(changes))
  }

  /// Clears the reported changes, and returns the numbers of their folders.
  private func takeEvents() -> Set<Int32> {
    // A read into less than a whole event fails, and an event with the longest name has 272 bytes.
    var bytes = [UInt8](repeating: 0, count: 4096)
    var numbers: Set<Int32> = []
    while let count = try? System.read(descriptor, into: &bytes), count > 0 {
      var offset = 0
      while offset < count {
        let event = unsafe bytes.withUnsafeBytes {
          unsafe $0.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
        }
        numbers.insert(event.wd)
        offset += MemoryLayout<inotify_event>.size + Int(event.len)
      }
    }
    return numbers
  }
}
#endif
