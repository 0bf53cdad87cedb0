import CAacornAtomics

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Nonblocking calls for the connections of a server.
extension System {
  /// Accepts a client of a listening socket, and returns its socket with the bytes of its numeric
  /// address; nil if no client is waiting.
  ///
  /// The address of a client of a socket file is empty. Errors of the network or the client are not
  /// thrown; the next client may have none.
  package static func accept(
    _ listener: Int32
  ) throws(SystemError) -> (socket: Int32, address: [UInt8])? {
    let network = SimulatedThread.current?.world.network
    if let code = network?.takeAcceptError() { return try noClient(SystemError(code: code)) }
    let (socket, address) = unsafe addressed { unsafe acceptClient(listener, $0, &$1) }
    if socket < 0 { return try noClient(.last) }
    var yes: Int32 = 1
    // Send stream data without waiting for the acknowledgment of earlier data. On a socket file
    // this call fails harmlessly.
    _ = unsafe setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(4))
    #if canImport(Darwin)
    _ = unsafe setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(4))
    #endif
    return (socket, network?.admit(socket) ?? addressBytes(address))
  }

  /// Returns nil if the error concerns only one client; throws all other errors.
  private static func noClient(
    _ error: SystemError
  ) throws(SystemError) -> (socket: Int32, address: [UInt8])? {
    let errorsOfClients = [
      EAGAIN, EINTR, ECONNABORTED, ECONNRESET, EPROTO, ENETDOWN, ENETUNREACH, EHOSTDOWN,
      EHOSTUNREACH, ENOPROTOOPT, EOPNOTSUPP, ETIMEDOUT,
    ]
    if errorsOfClients.contains(error.code) { return nil }
    throw error
  }

  /// Returns the bytes of the address at the other end of a socket, or nil without a connection.
  ///
  /// A socket file has no bytes.
  package static func peerAddress(of socket: Int32) -> [UInt8]? {
    let (result, address) = unsafe addressed { unsafe getpeername(socket, $0, &$1) }
    return result == 0 ? addressBytes(address) : nil
  }

  /// Makes a call that stores an address and its size; returns its result and the address.
  static func addressed(
    _ call: (UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Int32
  ) -> (result: Int32, address: sockaddr_storage) {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe call($0, &size) }
    }
    return (result, storage)
  }

  private static func addressBytes(_ address: sockaddr_storage) -> [UInt8] {
    unsafe withUnsafeBytes(of: address) { bytes in
      switch Int32(address.ss_family) {
      case AF_INET:
        let offset = MemoryLayout<sockaddr_in>.offset(of: \.sin_addr) ?? 0
        return unsafe Array(bytes[offset..<(offset + 4)])
      case AF_INET6:
        let offset = MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr) ?? 0
        return unsafe Array(bytes[offset..<(offset + 16)])
      default: return []
      }
    }
  }

  /// Returns a numeric address of four or sixteen bytes as text; empty for any other length.
  package static func addressText(_ bytes: [UInt8]) -> String {
    guard bytes.count == 4 || bytes.count == 16 else { return "" }
    var text = [CChar](repeating: 0, count: 64)
    let family = bytes.count == 4 ? AF_INET : AF_INET6
    _ = unsafe inet_ntop(family, bytes, &text, socklen_t(text.count))
    return unsafe System.text(text)
  }

  /// Reads received bytes into `memory`, and returns their number, 0 at the end, or nil if no bytes
  /// are available.
  package static func receive(
    _ socket: Int32, into memory: inout [UInt8]
  ) throws(SystemError) -> Int? {
    let limit = SimulatedThread.current?.world.network.transferLimit(memory.count) ?? memory.count
    while true {
      let count = unsafe memory.withUnsafeMutableBytes { buffer in
        unsafe receiveBytes(socket, UnsafeMutableRawBufferPointer(rebasing: buffer[..<limit]))
      }
      if count >= 0 { return count }
      if errno == EAGAIN || errno == EWOULDBLOCK { return nil }
      if errno != EINTR { throw .last }
    }
  }

  /// Sends a part of `bytes` from `offset` on, and returns its length; never raises SIGPIPE.
  package static func send(
    _ socket: Int32, _ bytes: [UInt8], from offset: Int
  ) throws(SystemError) -> Int {
    precondition(offset >= 0 && offset <= bytes.count)
    let rest = bytes.count - offset
    let end = offset + (SimulatedThread.current?.world.network.transferLimit(rest) ?? rest)
    while true {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe sendBytes(socket, UnsafeRawBufferPointer(rebasing: buffer[offset..<end]))
      }
      if count >= 0 { return count }
      if errno == EAGAIN || errno == EWOULDBLOCK { return 0 }
      if errno != EINTR { throw .last }
    }
  }
}

/// A set of descriptors that one thread waits for (`poll`).
package struct PollSet {
  private var entries: [pollfd] = []

  /// Creates an empty set.
  package init() {}

  /// Adds a descriptor at the next index.
  ///
  /// Errors of the descriptor are always reported.
  package mutating func add(_ descriptor: Int32, reading: Bool = false) {
    entries.append(pollfd(fd: descriptor, events: Int16(reading ? POLLIN : 0), revents: 0))
  }

  /// Sets whether `wait` reports that the descriptor at an index can be read or written.
  package mutating func change(_ index: Int, reading: Bool, writing: Bool) {
    entries[index].events = Int16((reading ? POLLIN : 0) | (writing ? POLLOUT : 0))
  }

  /// Removes the descriptor at an index, and moves the last descriptor there.
  package mutating func remove(_ index: Int) {
    entries.swapAt(index, entries.count - 1)
    entries.removeLast()
  }

  /// Waits until one of the descriptors is ready or has an error, for at most `milliseconds` (−1
  /// for no limit).
  ///
  /// Returns the indices of all such descriptors.
  package mutating func wait(milliseconds: Int) -> [Int] {
    let count = System.poll(&entries, milliseconds: milliseconds)
    var ready: [Int] = []
    var index = 0
    while ready.count < count {
      if entries[index].revents != 0 { ready.append(index) }
      index += 1
    }
    return ready
  }

  /// The state of a descriptor.
  package typealias Outcome = (canRead: Bool, canWrite: Bool, isBroken: Bool)

  /// Returns the state of the descriptor at an index after the last wait.
  package func outcome(_ index: Int) -> Outcome {
    let events = Int32(entries[index].revents)
    let errorEvents = Int32(POLLERR) | Int32(POLLHUP) | Int32(POLLNVAL)
    return (
      events & Int32(POLLIN) != 0, events & Int32(POLLOUT) != 0, events & errorEvents != 0
    )
  }
}

// These functions are outside `System`, in which the names of C functions would refer to members.

private func acceptClient(
  _ listener: Int32, _ address: UnsafeMutablePointer<sockaddr>?,
  _ size: UnsafeMutablePointer<socklen_t>?
) -> Int32 {
  #if canImport(Darwin)
  let socket = unsafe accept(listener, address, size)
  if socket >= 0 { System.prepareDescriptor(socket) }
  return socket
  #else
  return unsafe noted(aacorn_accept(listener, address, size))
  #endif
}

private func receiveBytes(_ socket: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  unsafe recv(socket, buffer.baseAddress, buffer.count, 0)
}

private func sendBytes(_ socket: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
  #if canImport(Darwin)
  return unsafe send(socket, buffer.baseAddress, buffer.count, 0)
  #else
  return unsafe send(socket, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
  #endif
}

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
}
