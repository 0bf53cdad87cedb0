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
    var limits = rlimit()
    guard unsafe getrlimit(descriptorResource, &limits) == 0 else { return 256 }
    return Int(clamping: limits.rlim_cur)
  }

  /// Lets this program have as many descriptors open at a time as it may allow itself, and returns how
  /// many these are.
  @discardableResult
  package static func raiseDescriptorLimit() -> Int {
    var limits = rlimit()
    guard unsafe getrlimit(descriptorResource, &limits) == 0 else { return descriptorLimit }
    var most = limits.rlim_max
    #if canImport(Darwin)
    // The maximum may be infinite there, which is then refused.
    most = min(most, rlim_t(OPEN_MAX))
    #endif
    if most > limits.rlim_cur {
      limits.rlim_cur = most
      // If that is refused, the limit stays as it was, which the answer shows.
      _ = unsafe setrlimit(descriptorResource, &limits)
    }
    return descriptorLimit
  }

  #if canImport(Glibc)
  private static var descriptorResource: __rlimit_resource_t {
    __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  }
  #else
  private static var descriptorResource: Int32 { RLIMIT_NOFILE }
  #endif
}
