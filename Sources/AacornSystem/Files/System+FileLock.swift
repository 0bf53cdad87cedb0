#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension System {
  /// Locks a file or folder for this program until the descriptor is closed or the program ends in
  /// any way; throws `SystemError.wouldBlock` if another program holds the lock.
  ///
  /// The lock affects only programs that check it. On a file system without locks the call succeeds
  /// without a lock. `timeout` is in nanoseconds; `pause` is called after each failed attempt.
  package static func lock(
    _ descriptor: Int32, timeout: Int64 = lockTimeout,
    pause: () -> Void = { System.sleep(milliseconds: 1) }
  ) throws(SystemError) {
    let deadline = nanoseconds + timeout
    while flock(descriptor, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK {
      // Retry until the timeout: a program that only checks the lock holds it briefly.
      if nanoseconds > deadline { throw .wouldBlock }
      pause()
    }
  }

  package static let lockTimeout: Int64 = 50_000_000

  /// Locks the file at `path` and returns its descriptor; nil if permission to open it is denied.
  ///
  /// Throws `wouldBlock` if another program holds the lock. If the file is replaced during the
  /// call, its replacement is locked instead.
  package static func takeFile(
    _ path: String, timeout: Int64 = lockTimeout,
    pause: () -> Void = { System.sleep(milliseconds: 1) }
  ) throws(SystemError) -> Int32? {
    while true {
      let descriptor: Int32
      do throws(SystemError) {
        descriptor = try open(path, for: .reading, waits: false)
      } catch {
        if error == .accessDenied || error == .notPermitted { return nil }
        throw error
      }
      do throws(SystemError) {
        try lock(descriptor, timeout: timeout, pause: pause)
        let taken = try status(of: descriptor).identity
        if try status(of: path).identity == taken { return descriptor }
      } catch {
        try? close(descriptor)
        throw error
      }
      try? close(descriptor)
    }
  }

  /// Returns whether another program that uses locks is writing the file at `path`.
  package static func isTaken(_ path: String) -> Bool {
    guard let descriptor = try? open(path, for: .reading, waits: false) else { return false }
    defer { try? close(descriptor) }
    // Use a shared lock, so that concurrent checks do not conflict.
    return flock(descriptor, LOCK_SH | LOCK_NB) < 0 && errno == EWOULDBLOCK
  }

  /// Describes the program that has locked a file: the first words of its command line, and its
  /// process number.
  ///
  /// Returns nil if the system does not show the owner.
  package static func lockOwner(of path: String) -> String? {
    #if os(Linux)
    guard let status = try? status(of: path), let table = text(ofFile: "/proc/locks") else {
      return nil
    }
    let number = ":\(status.identity.number)"
    var processes: Set<Int> = []
    for line in table.split(separator: "\n") {
      // “1: FLOCK  ADVISORY  WRITE 4711 08:01:1234 0 EOF”; an arrow marks waiting programs.
      let words = line.split(separator: " ")
      guard words.count >= 6, words[1] == "FLOCK", words[5].hasSuffix(number),
        let process = Int(words[4]), process > 0
      else { continue }
      processes.insert(process)
    }
    // The device number is not compared, since this list has a different number for some file
    // systems. If several locked files have this inode number, the owner is unknown.
    if processes.count == 1, let process = processes.first { return owner(process) }
    #endif
    return nil
  }

  #if os(Linux)
  private static func owner(_ process: Int) -> String {
    let line = text(ofFile: "/proc/\(process)/cmdline") ?? ""
    var words = line.split(separator: "\0").prefix(2).map(String.init)
    guard !words.isEmpty else { return "process \(process)" }
    words[0] = String(words[0].split(separator: "/").last ?? "")
    // The second word is a command of this program, or an option or file that does not matter here.
    if words.count > 1, !words[1].allSatisfy({ $0.isLowercase }) { words.removeLast() }
    return "“\(displayed(words.joined(separator: " ")))” (process \(process))"
  }

  /// Reads a system file, whose size is unknown.
  static func text(ofFile path: String) -> String? {
    guard let descriptor = try? open(path, for: .reading) else { return nil }
    defer { try? close(descriptor) }
    return (try? contents(of: descriptor)).map { PathText.decode($0) }
  }
  #endif
}

extension SystemError {
  package static let wouldBlock = SystemError(code: EWOULDBLOCK)
}
