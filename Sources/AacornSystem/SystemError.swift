#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// An error from the operating system.
package struct SystemError: Error, Equatable {
  /// The system's error number (`errno`), or −1 for `brokenLink`.
  package let code: Int32

  package static let notFound = SystemError(code: ENOENT)
  package static let notPermitted = SystemError(code: EPERM)
  package static let accessDenied = SystemError(code: EACCES)
  package static let exists = SystemError(code: EEXIST)
  package static let isFolder = SystemError(code: EISDIR)
  package static let notFolder = SystemError(code: ENOTDIR)
  package static let brokenPipe = SystemError(code: EPIPE)
  package static let diskFull = SystemError(code: ENOSPC)
  package static let quotaReached = SystemError(code: EDQUOT)
  package static let fileTooLarge = SystemError(code: EFBIG)
  package static let readOnly = SystemError(code: EROFS)
  package static let nameTooLong = SystemError(code: ENAMETOOLONG)
  package static let tooManyLinks = SystemError(code: ELOOP)
  package static let tooManyFiles = SystemError(code: EMFILE)
  /// An interruption by a signal, or a caller that stopped waiting.
  package static let interrupted = SystemError(code: EINTR)
  /// A symbolic link to a missing target, for which the system has no error number.
  package static let brokenLink = SystemError(code: -1)
  package static let device = SystemError(code: EIO)
  package static let addressInUse = SystemError(code: EADDRINUSE)
  package static let addressNotAvailable = SystemError(code: EADDRNOTAVAIL)
  package static let addressFamilyNotSupported = SystemError(code: EAFNOSUPPORT)
  package static let invalidArgument = SystemError(code: EINVAL)

  /// Whether the error means that a path leads to no file: a missing name, a component that is not
  /// a folder, or a loop of symbolic links.
  package var isAbsence: Bool { [.notFound, .notFolder, .tooManyLinks].contains(self) }

  /// Creates the error with a number of the system.
  package init(code: Int32) { self.code = code }

  /// The last error of the calling thread (`errno`).
  package static var last: SystemError { SystemError(code: errno) }

  /// The system's message, in lowercase.
  package var text: String {
    guard let words = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: words).lowercased()
  }
}

/// Returns the value of an expression, and converts the error if it throws.
@inlinable
package func rethrow<Value, Failure: Error, Converted: Error>(
  as convert: (Failure) -> Converted, _ value: @autoclosure () throws(Failure) -> Value
) throws(Converted) -> Value {
  do throws(Failure) { return try value() } catch { throw convert(error) }
}
