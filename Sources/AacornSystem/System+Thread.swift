#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension System {
  /// Runs a closure on a detached thread; returns false if the system cannot create a thread.
  ///
  /// Use it for work that may hang in a system call, so that the program can continue without this
  /// work.
  package static func startThread(_ run: @escaping @Sendable () -> Void) -> Bool {
    guard let thread = WorkerThread(run) else { return false }
    thread.detach()
    return true
  }

  /// Raises the calling thread to real-time priority; returns nil on success, otherwise a message
  /// with the reason for the failure.
  ///
  /// Use it for threads that exchange samples with a device and wait most of the time. The priority
  /// is low among real-time threads, and programs started from the thread do not inherit it. If the
  /// system limits the time that such a thread may run without waiting, the priority does not
  /// change: one busy moment would end the whole program with SIGXCPU.
  package static func raiseThreadPriority() -> String? {
    #if os(Linux) || os(Android)
    guard limit(realTimeLimitResource) == nil else {
      return "The audio thread has no real-time priority, because the system would end the"
        + " program if it ran too long without a pause (RLIMIT_RTTIME)."
    }
    // Try even with a limit of 0: it does not apply to a privileged process, and only the kernel
    // can decide whether this process is privileged.
    let highest = limit(realTimePriority) ?? 99
    var parameters = sched_param()
    parameters.sched_priority = highest > 0 ? min(5, Int32(clamping: highest)) : 5
    // 0 means the calling thread. The flag is SCHED_RESET_ON_FORK, which some C libraries do not
    // define.
    let policy = SCHED_FIFO | 0x4000_0000
    guard unsafe sched_setscheduler(0, policy, &parameters) != 0 else { return nil }
    let error = SystemError.last
    return "The audio thread has no real-time priority (\(error.text)); samples may be lost on a"
      + " busy machine. Allow it with “rtprio” in /etc/security/limits.conf."
    #else
    return nil
    #endif
  }

  #if os(Linux) || os(Android)
  #if canImport(Glibc)
  private static let realTimePriority = Int32(__RLIMIT_RTPRIO.rawValue)
  private static let realTimeLimitResource = Int32(__RLIMIT_RTTIME.rawValue)
  #else
  private static let realTimePriority = RLIMIT_RTPRIO
  private static let realTimeLimitResource = RLIMIT_RTTIME
  #endif

  /// Returns the system's limit for a resource; nil if it is unlimited.
  private static func limit(_ resource: Int32) -> UInt64? {
    var limits = rlimit()
    guard unsafe getrlimit(resource, &limits) == 0 else { return nil }
    return limits.rlim_cur == rlim_t.max ? nil : UInt64(limits.rlim_cur)
  }
  #endif
}
