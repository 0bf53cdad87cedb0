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
  /// It binds only programs that ask, and not every file system knows of it.
  package static func lock(_ descriptor: Int32) throws(SystemError) {
    if flock(descriptor, LOCK_EX | LOCK_NB) < 0 { throw .last }
  }
}

extension SystemError {
  package static let wouldBlock = SystemError(code: EWOULDBLOCK)
}
