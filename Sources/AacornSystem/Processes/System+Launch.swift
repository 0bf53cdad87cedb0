// The environment variables are a mutable global in C, but this program never changes them.
#if canImport(Glibc)
@preconcurrency @unsafe import Glibc
#elseif canImport(Musl)
@preconcurrency @unsafe import Musl
#elseif canImport(Darwin)
@preconcurrency @unsafe import Darwin
#endif

#if !os(tvOS) && !os(watchOS)
extension System {
  /// Starts another program, found in `PATH` like in a shell, and returns its process number
  /// immediately.
  ///
  /// The output of the program is discarded, its input is empty, and it does not receive signals
  /// for this program's group.
  package static func launch(
    _ program: String, _ arguments: [String]
  ) throws(SystemError) -> Int32 {
    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    var attributes: posix_spawnattr_t?
    #else
    var actions = unsafe posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe _ = posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe _ = posix_spawnattr_destroy(&attributes) }
    // The new program expects the default handling of these signals.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe sigaddset(&signals, SIGXFSZ)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP) | Int16(POSIX_SPAWN_SETSIGDEF))

    #if canImport(Darwin)
    let environment = unsafe _NSGetEnviron().pointee
    #else
    let environment = unsafe environ
    #endif
    var words: [UnsafeMutablePointer<CChar>?] = unsafe ([program] + arguments).map {
      unsafe strdup($0)
    }
    unsafe words.append(nil)
    defer { unsafe words.forEach { unsafe free($0) } }
    var number: pid_t = 0
    let code = unsafe posix_spawnp(&number, program, &actions, &attributes, words, environment)
    if code != 0 { throw SystemError(code: code) }
    return number
  }

  /// Waits for a started program to end and returns its exit code; nil if a signal ended it.
  package static func waitForEnd(of process: Int32) -> Int32? {
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 {
      if errno != EINTR { return nil }
    }
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
  }
}
#endif
