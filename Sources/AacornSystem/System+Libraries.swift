#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension System {
  /// Returns whether the loader's message shows that the file of a library does not exist.
  ///
  /// If the library exists but needs another, missing library, the message is similar but begins
  /// with the name of the other library.
  package static func isMissing(_ library: String, accordingTo reason: String) -> Bool {
    reason.hasPrefix(library + ":") && reason.hasSuffix("No such file or directory")
  }

  #if !canImport(Darwin)
  /// Whether the thread sanitizer observes this process.
  package static var hasThreadSanitizer: Bool { unsafe dlsym(nil, "__tsan_init") != nil }
  #endif
}
