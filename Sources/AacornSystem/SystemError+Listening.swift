#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension SystemError {
  /// Creates the error for a system error number.
  package init(number: Int32) { self.init(code: number) }

  package static let addressInUse = SystemError(code: EADDRINUSE)
  package static let addressNotAvailable = SystemError(code: EADDRNOTAVAIL)
  package static let addressFamilyNotSupported = SystemError(code: EAFNOSUPPORT)
  package static let invalidArgument = SystemError(code: EINVAL)
}
