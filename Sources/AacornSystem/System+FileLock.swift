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
  /// The lock binds only programs that ask for it. On a file system without locks, nothing is
  /// locked and nobody is kept out. The patience is in nanoseconds; the pause is what happens after
  /// an attempt that failed.
  package static func lock(
    _ descriptor: Int32, patience: Int64 = lockPatience,
    pause: () -> Void = { System.sleep(milliseconds: 1) }
  ) throws(SystemError) {
    let deadline = nanoseconds + patience
    while flock(descriptor, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK {
      // A program that merely checks the lock holds it for an instant.
      if nanoseconds > deadline { throw .wouldBlock }
      pause()
    }
  }

  package static let lockPatience: Int64 = 50_000_000

  /// Locks the file that has this name and returns its descriptor; nil if it may not be opened.
  ///
  /// Throws `wouldBlock` if another program holds the lock. If the file is replaced while it is
  /// being locked, its replacement is locked instead.
  package static func takeFile(
    _ path: String, patience: Int64 = lockPatience,
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
        try lock(descriptor, patience: patience, pause: pause)
        let taken = try status(of: descriptor).identity
        if try status(of: path).identity == taken { return descriptor }
      } catch {
        try? close(descriptor)
        throw error
      }
      try? close(descriptor)
    }
  }

  /// Whether another program that uses locks is writing the file that has this name.
  package static func isTaken(_ path: String) -> Bool {
    guard let descriptor = try? open(path, for: .reading, waits: false) else { return false }
    defer { try? close(descriptor) }
    // A shared lock, so that concurrent checks do not collide.
    return flock(descriptor, LOCK_SH | LOCK_NB) < 0 && errno == EWOULDBLOCK
  }

  /// The program that has locked a file: the words it was started with, as far as they show what it
  /// does, and its process number; nil if the system does not say.
  package static func lockOwner(of path: String) -> String? {
    #if os(Linux)
    guard let status = try? status(of: path), let table = text(ofFile: "/proc/locks") else {
      return nil
    }
    let number = ":\(status.identity.number)"
    var processes: Set<Int> = []
    for line in table.split(separator: "\n") {
      // “1: FLOCK  ADVISORY  WRITE 4711 08:01:1234 0 EOF”; waiting programs are marked by an arrow.
      let words = line.split(separator: " ")
      guard words.count >= 6, words[1] == "FLOCK", words[5].hasSuffix(number),
        let process = Int(words[4]), process > 0
      else { continue }
      processes.insert(process)
    }
    // The disk is not compared, since some file systems show a different number for it there; so if
    // several files have this inode number, the lock's owner is unknown.
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
    // What follows is one of our commands, or an option or a file of no interest.
    if words.count > 1, !words[1].allSatisfy({ $0.isLowercase }) { words.removeLast() }
    return "“\(displayed(words.joined(separator: " ")))” (process \(process))"
  }

  /// A file of the system, whose size is not known beforehand.
  private static func text(ofFile path: String) -> String? {
    guard let descriptor = try? open(path, for: .reading) else { return nil }
    defer { try? close(descriptor) }
    var text: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 16_384)
    while let count = try? read(descriptor, into: &block), count > 0 { text += block[..<count] }
    return PathText.decode(text)
  }
  #endif
}

extension SystemError {
  package static let wouldBlock = SystemError(code: EWOULDBLOCK)
}
