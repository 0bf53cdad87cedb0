import Foundation
import Glibc

/// A watcher that reports when sockets are readable or writable, and closes sockets.
///
/// One thread polls all sockets. Dispatch sources would do, too, but on Linux they keep state of a
/// descriptor after it is freed, if many descriptors are opened and closed
/// (swift-corelibs-libdispatch, issue 949).
final class SocketWatch: @unchecked Sendable {
  // Unchecked because of `values`, which is used only under the lock.

  static let shared = SocketWatch()

  private struct Interest: Hashable {
    let descriptor: Int32
    let events: Int16
  }

  private struct Values {
    var interests: [Interest: @Sendable () -> Void] = [:]
    var closings: [(descriptor: Int32, completion: @Sendable () -> Void)] = []
  }
  private let lock = NSLock()
  private var values = Values()
  /// The ends of a pipe.
  ///
  /// A byte in the pipe ends the poll, so that the thread polls the changed set of sockets.
  private let alarm: (read: Int32, write: Int32)

  private init() {
    var ends: [Int32] = [-1, -1]
    precondition(pipe(&ends) == 0, "There is no descriptor left for the network.")
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    alarm = (ends[0], ends[1])
    Thread.detachNewThread { [self] in while true { turn() } }
  }

  /// Calls `body` once, on the sockets' queue, when the socket is readable.
  func waitToRead(_ descriptor: Int32, _ body: @escaping @Sendable () -> Void) {
    wait(for: Interest(descriptor: descriptor, events: Int16(POLLIN)), body)
  }

  /// Calls `body` once, on the sockets' queue, when the socket is writable.
  func waitToWrite(_ descriptor: Int32, _ body: @escaping @Sendable () -> Void) {
    wait(for: Interest(descriptor: descriptor, events: Int16(POLLOUT)), body)
  }

  private func wait(for interest: Interest, _ body: @escaping @Sendable () -> Void) {
    lock.withLock { values.interests[interest] = body }
    wake()
  }

  /// Closes a socket that has no waiter, then calls `completion` on the sockets' queue.
  ///
  /// The thread closes the socket between two polls, because a poll keeps its sockets open.
  func close(_ descriptor: Int32, _ completion: @escaping @Sendable () -> Void = {}) {
    lock.withLock {
      values.interests = values.interests.filter { $0.key.descriptor != descriptor }
      values.closings.append((descriptor, completion))
    }
    wake()
  }

  private func wake() {
    // Ignore errors: a full pipe wakes the thread, too.
    var byte: UInt8 = 0
    _ = write(alarm.write, &byte, 1)
  }

  private func turn() {
    let (interests, closings) = lock.withLock {
      defer { values.closings = [] }
      return (Array(values.interests.keys), values.closings)
    }
    for closing in closings {
      _ = Glibc.close(closing.descriptor)
      SimulatedStream.queue.async(execute: closing.completion)
    }
    var pollEntries = interests.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
    pollEntries.append(pollfd(fd: alarm.read, events: Int16(POLLIN), revents: 0))
    guard poll(&pollEntries, nfds_t(pollEntries.count), -1) > 0 else { return }
    var bytes = [UInt8](repeating: 0, count: 4096)
    _ = read(alarm.read, &bytes, bytes.count)
    for (interest, entry) in zip(interests, pollEntries) where entry.revents != 0 {
      // Skips sockets that were closed during the poll.
      if let body = lock.withLock({ values.interests.removeValue(forKey: interest) }) {
        SimulatedStream.queue.async(execute: body)
      }
    }
  }
}
