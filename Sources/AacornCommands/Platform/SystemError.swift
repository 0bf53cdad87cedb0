#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A refusal by the operating system.
struct SystemError: Error, Equatable {
  /// The system's number for it (`errno`).
  let code: Int32

  static let notFound = SystemError(code: ENOENT)
  static let notPermitted = SystemError(code: EPERM)
  static let accessDenied = SystemError(code: EACCES)
  static let exists = SystemError(code: EEXIST)
  static let isFolder = SystemError(code: EISDIR)
  static let notFolder = SystemError(code: ENOTDIR)
  static let brokenPipe = SystemError(code: EPIPE)
  static let diskFull = SystemError(code: ENOSPC)
  static let quotaReached = SystemError(code: EDQUOT)
  static let fileTooLarge = SystemError(code: EFBIG)
  static let readOnly = SystemError(code: EROFS)
  static let nameTooLong = SystemError(code: ENAMETOOLONG)
  static let tooManyLinks = SystemError(code: ELOOP)
  static let tooManyFiles = SystemError(code: EMFILE)
  static let device = SystemError(code: EIO)

  /// The last error of the calling thread.
  static var last: SystemError { SystemError(code: errno) }

  /// The system's own words.
  var text: String {
    guard let words = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: words).lowercased()
  }
}
