import AacornSystem
import Foundation

/// Clients that occupy connections, and reconnect as soon as they are disconnected.
///
/// Of four clients, the first sends nothing. The second never completes its headers. The third and
/// the fourth never complete a body, which only the fourth is allowed to send. They connect from
/// ten addresses of this machine.
final class HTTPHostileCrowd: Sendable {
  private struct Member {
    var socket: Int32
    let index: Int
    var turn = 0
  }

  private let thread = Lock<WorkerThread?>(nil)
  private let isEnding = Lock(false)
  private let counts = Lock((present: 0, cut: 0))

  /// Connects `count` clients to a port.
  init(_ count: Int, port: Int) {
    let worker = WorkerThread { [weak self] in self?.run(count, port) }
    thread.withLock { $0 = worker }
  }

  /// The number of connected clients.
  var presentCount: Int { counts.withLock { $0.present } }
  /// The number of disconnections by the server.
  var cutCount: Int { counts.withLock { $0.cut } }

  func stop() {
    isEnding.withLock { $0 = true }
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }

  private func run(_ count: Int, _ port: Int) {
    var members = (0..<count).map { Member(socket: Self.connected($0, port), index: $0) }
    while !isEnding.withLock({ $0 }) {
      var entries = members.map { pollfd(fd: $0.socket, events: Int16(POLLIN), revents: 0) }
      // A client sends a byte every half second, not all clients at the same time.
      _ = unsafe poll(&entries, nfds_t(entries.count), 10)
      for index in members.indices {
        if entries[index].revents != 0 && Self.isClosed(members[index].socket) {
          close(members[index].socket)
          members[index].socket = Self.connected(index, port)
          counts.withLock { $0.cut += 1 }
        }
        members[index].turn += 1
        if (members[index].turn + index) % 50 == 0, index % 4 > 0 {
          _ = unsafe send(members[index].socket, "x", 1, Int32(MSG_NOSIGNAL))
        }
      }
      counts.withLock { $0.present = members.count { $0.socket >= 0 } }
    }
    for member in members where member.socket >= 0 { close(member.socket) }
  }

  /// Returns whether the connection has ended.
  ///
  /// Discards the response before the end.
  private static func isClosed(_ socket: Int32) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe recv(socket, &bytes, bytes.count, 0)
      if count == 0 || (count < 0 && errno != EAGAIN) { return true }
      if count < 0 { return false }
    }
  }

  private static func connected(_ index: Int, _ port: Int) -> Int32 {
    let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if socket < 0 { return -1 }
    _ = fcntl(socket, F_SETFL, O_NONBLOCK)
    // With a reset, closed connections do not occupy ports.
    var option = linger(l_onoff: 1, l_linger: 0)
    unsafe setsockopt(
      socket, SOL_SOCKET, Int32(SO_LINGER), &option, socklen_t(MemoryLayout<linger>.size))
    _ = unsafe call(bind, socket, "127.0.0.\(2 + index % 10)", 0)
    _ = unsafe call(connect, socket, "127.0.0.1", port)
    let beginning =
      switch index % 4 {
      case 0: ""
      case 1: "GET / HTTP/1.1\r\nHost: test\r\nX-Slow: "
      case 2: "PUT / HTTP/1.1\r\nHost: test\r\nContent-Length: 50000\r\n\r\n"
      default: "POST /public HTTP/1.1\r\nHost: test\r\nContent-Length: 1000\r\n\r\n"
      }
    _ = unsafe send(socket, beginning, beginning.utf8.count, Int32(MSG_NOSIGNAL))
    return socket
  }

  private static func call(
    _ function: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ socket: Int32,
    _ address: String, _ port: Int
  ) -> Int32 {
    var socketAddress = sockaddr_in()
    socketAddress.sin_family = sa_family_t(AF_INET)
    socketAddress.sin_port = in_port_t(port).bigEndian
    unsafe inet_pton(AF_INET, address, &socketAddress.sin_addr)
    return unsafe withUnsafeBytes(of: &socketAddress) { bytes in
      unsafe function(
        socket, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count))
    }
  }
}
