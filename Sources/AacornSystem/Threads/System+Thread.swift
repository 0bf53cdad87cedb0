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
  package static func startThread(
    _ name: String, _ run: @escaping @Sendable () -> Void
  ) -> Bool {
    guard let thread = WorkerThread(name, run) else { return false }
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

extension System {
  /// Waits until one of the entries is ready, for at most `milliseconds` (−1 for no limit); returns
  /// the number of entries that are ready.
  static func poll(_ entries: inout [pollfd], milliseconds: Int) -> Int32 {
    if let world = SimulatedThread.current?.world {
      var probe = entries
      _ = world.wait(for: .poll, until: world.deadline(after: milliseconds)) {
        pollEntries(&probe, 0) != 0
      }
      return pollEntries(&entries, 0)
    }
    return pollEntries(&entries, Int32(clamping: milliseconds))
  }

  /// Waits until `descriptor` can be read (or written), or `wake` can be read, for at most
  /// `milliseconds` (−1 for no limit); returns false on timeout.
  package static func wait(
    for descriptor: Int32, writing: Bool, orFor wake: Int32?, milliseconds: Int
  ) -> Bool {
    var entries = [
      pollfd(fd: descriptor, events: Int16(writing ? POLLOUT : POLLIN), revents: 0)
    ]
    if let wake { entries.append(pollfd(fd: wake, events: Int16(POLLIN), revents: 0)) }
    return poll(&entries, milliseconds: milliseconds) != 0
  }
}

// This function is outside `System`, in which `poll` would refer to a member.
private func pollEntries(_ entries: inout [pollfd], _ milliseconds: Int32) -> Int32 {
  unsafe poll(&entries, nfds_t(entries.count), milliseconds)
}

extension System {
  /// Sleeps until the monotonic clock `nanoseconds` reaches `deadline`, or a signal arrives.
  ///
  /// With an absolute time, the delays of many short sleeps do not add up.
  package static func sleep(until deadline: Int64) {
    if let thread = SimulatedThread.current { return thread.world.sleep(until: deadline) }
    #if canImport(Darwin)
    let rest = deadline - nanoseconds
    guard rest > 0 else { return }
    var time = timespec(
      tv_sec: Int(rest / 1_000_000_000), tv_nsec: Int(rest % 1_000_000_000))
    _ = unsafe nanosleep(&time, nil)
    #else
    guard deadline > 0 else { return }
    var time = timespec()
    time.tv_sec = numericCast(deadline / 1_000_000_000)
    time.tv_nsec = numericCast(deadline % 1_000_000_000)
    _ = unsafe clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil)
    #endif
  }
}
