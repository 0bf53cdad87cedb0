#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Does something as a user to whom folders can be closed: where the tests run as root, for whom
/// none is closed, as nobody; so do the threads that begin meanwhile.
///
/// Linux keeps the user that files ask for with each thread (setfsuid), so what else runs meanwhile
/// is not touched.
package func asOrdinaryUser<Result>(_ body: () throws -> Result) rethrows -> Result {
  #if os(Linux)
  if geteuid() != 0 { return try body() }
  typealias Change = @convention(c) (UInt32) -> Int32
  guard let address = unsafe dlsym(nil, "setfsuid") else {
    fatalError("The C library has no setfsuid.")
  }
  let change = unsafe unsafeBitCast(address, to: Change.self)
  let nobody: UInt32 = 65_534
  _ = change(nobody)
  defer { _ = change(0) }
  // It answers who it was before, and a number that is nobody's changes nothing.
  precondition(change(.max) == Int32(nobody), "The system does not let root be anybody else.")
  #endif
  return try body()
}
