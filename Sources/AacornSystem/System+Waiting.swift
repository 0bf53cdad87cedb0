#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension System {
  /// Waits until `descriptor` can be read (or written), or `wake` can be read, for at most
  /// `milliseconds` (−1 for no limit); returns false on timeout.
  package static func wait(
    for descriptor: Int32, writing: Bool, orFor wake: Int32?, milliseconds: Int
  ) -> Bool {
    var entries = [
      pollfd(fd: descriptor, events: Int16(writing ? POLLOUT : POLLIN), revents: 0)
    ]
    if let wake { entries.append(pollfd(fd: wake, events: Int16(POLLIN), revents: 0)) }
    return unsafe poll(&entries, nfds_t(entries.count), Int32(clamping: milliseconds)) != 0
  }
}
