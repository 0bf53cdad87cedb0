#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Runs `body` as a user for whom folders can be inaccessible: if the tests run as root, as the
/// user “nobody”.
///
/// Threads that start during the call also run as that user.
///
/// Linux stores the user for file access per thread (setfsuid), so other threads are not affected.
package func asOrdinaryUser<Result>(_ body: () throws -> Result) rethrows -> Result {
  #if os(Linux)
  if geteuid() != 0 { return try body() }
  typealias Change = @convention(c) (UInt32) -> Int32
  guard let address = unsafe dlsym(nil, "setfsuid") else {
    fatalError("The C library has no setfsuid.")
  }
  let change = unsafe unsafeBitCast(address, to: Change.self)
  let unprivilegedUserID: UInt32 = 65_534
  _ = change(unprivilegedUserID)
  defer { _ = change(0) }
  // The function returns the previous user, and an invalid number changes nothing.
  precondition(
    change(.max) == Int32(unprivilegedUserID), "The system does not let root be anybody else.")
  #endif
  return try body()
}
