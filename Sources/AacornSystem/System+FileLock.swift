#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension System {
  /// Takes a file or folder for this program alone, until the descriptor is closed or the program
  /// has ended, however it does; `SystemError.wouldBlock` if another has it.
  ///
  /// It binds only programs that ask. Where a file system knows no locks, nothing is taken, and
  /// nobody is kept out.
  package static func lock(_ descriptor: Int32) throws(SystemError) {
    let deadline = nanoseconds + lockPatience
    while flock(descriptor, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK {
      // Who only asks whether it is taken has it for an instant.
      if nanoseconds > deadline { throw .wouldBlock }
      sleep(milliseconds: 1)
    }
  }

  private static let lockPatience: Int64 = 50_000_000

  /// Takes the file that has this name, and returns its descriptor; nil if it may not be opened.
  ///
  /// Throws `wouldBlock` if another has it. A file that was replaced while it was being taken is
  /// not the one of that name, so the one that is there instead is taken.
  package static func takeFile(_ path: String) throws(SystemError) -> Int32? {
    while true {
      let descriptor: Int32
      do throws(SystemError) {
        descriptor = try open(path, for: .reading, waits: false)
      } catch {
        if error == .accessDenied || error == .notPermitted { return nil }
        throw error
      }
      do throws(SystemError) {
        try lock(descriptor)
        let taken = try status(of: descriptor).identity
        if try status(of: path).identity == taken { return descriptor }
        try close(descriptor)
      } catch {
        try? close(descriptor)
        throw error
      }
    }
  }

  /// Whether another program that asks for locks writes the file that has this name.
  package static func isTaken(_ path: String) -> Bool {
    guard let descriptor = try? open(path, for: .reading, waits: false) else { return false }
    defer { try? close(descriptor) }
    // Together with others who ask.
    return flock(descriptor, LOCK_SH | LOCK_NB) < 0 && errno == EWOULDBLOCK
  }

  /// Who has taken a file: the words with which the program was started, as far as they tell what
  /// it does, and its number; nil if the system does not say.
  package static func lockOwner(of path: String) -> String? {
    #if os(Linux)
    guard let status = try? status(of: path), let table = text(ofFile: "/proc/locks") else {
      return nil
    }
    let number = ":\(status.identity.number)"
    var processes: Set<Int> = []
    for line in table.split(separator: "\n") {
      // “1: FLOCK  ADVISORY  WRITE 4711 08:01:1234 0 EOF”; who only waits has an arrow in front.
      let words = line.split(separator: " ")
      guard words.count >= 6, words[1] == "FLOCK", words[5].hasSuffix(number),
        let process = Int(words[4]), process > 0
      else { continue }
      processes.insert(process)
    }
    // The disk is not compared, which some file systems have another number for there; so where two
    // files have the number, nobody knows whose lock it is.
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
    // What follows is a command of ours, or an option or a file of no interest.
    if words.count > 1, !words[1].allSatisfy({ $0.isLowercase }) { words.removeLast() }
    return "“\(displayed(words.joined(separator: " ")))” (process \(process))"
  }

  /// A file of the system's own, whose size is not known beforehand.
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
