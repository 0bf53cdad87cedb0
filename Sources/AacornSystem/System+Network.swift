#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension System {
  /// Tells the other end of a connection that nothing more follows what has been written.
  package static func finishWriting(_ socket: Int32) { _ = shutdown(socket, Int32(SHUT_WR)) }

  /// Makes writing to a closed connection fail on this thread instead of ending the program.
  package static func blockPipeSignal() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// How many descriptors this program may have open at a time.
  package static var descriptorLimit: Int {
    #if canImport(Glibc)
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    let resource = RLIMIT_NOFILE
    #endif
    var limits = rlimit()
    guard unsafe getrlimit(resource, &limits) == 0 else { return 256 }
    return Int(clamping: limits.rlim_cur)
  }

  /// Lets this program have as many descriptors open at a time as it may allow itself.
  package static func raiseDescriptorLimit() {
    #if canImport(Glibc)
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    let resource = RLIMIT_NOFILE
    #endif
    var limits = rlimit()
    guard unsafe getrlimit(resource, &limits) == 0 else { return }
    limits.rlim_cur = limits.rlim_max
    _ = unsafe setrlimit(resource, &limits)
  }
}
