#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

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
