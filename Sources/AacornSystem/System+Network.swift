#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension System {
  /// Ends the writing direction of a connection after the written data.
  package static func finishWriting(_ socket: Int32) { _ = shutdown(socket, Int32(SHUT_WR)) }

  /// Makes writing to a closed connection return an error on this thread instead of ending the
  /// program.
  package static func blockPipeSignal() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// The maximum number of open file descriptors of this program.
  package static var descriptorLimit: Int {
    var limits = rlimit()
    guard unsafe getrlimit(descriptorResource, &limits) == 0 else { return 256 }
    return Int(clamping: limits.rlim_cur)
  }

  /// Raises the number of file descriptors to the hard limit, and returns the resulting limit.
  @discardableResult
  package static func raiseDescriptorLimit() -> Int {
    var limits = rlimit()
    guard unsafe getrlimit(descriptorResource, &limits) == 0 else { return descriptorLimit }
    var most = limits.rlim_max
    #if canImport(Darwin)
    // On Apple's systems the hard limit may be infinite, a value that `setrlimit` rejects.
    most = min(most, rlim_t(OPEN_MAX))
    #endif
    if most > limits.rlim_cur {
      limits.rlim_cur = most
      // If this fails, the limit does not change, and the result shows that.
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
