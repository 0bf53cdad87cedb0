import Foundation
import Glibc

/// The error of a failed system call.
struct SocketError: Error {
  let code: POSIXErrorCode
  static let canceled = SocketError(code: .ECANCELED)
  static var last: SocketError { SocketError(code: POSIXErrorCode(rawValue: errno) ?? .EIO) }
}

/// Bytes received from a socket, and the end of the stream, which the framework reports together.
struct ReceivedBytes {
  let bytes: [UInt8]
  let isLast: Bool

  /// Reads from a non-blocking socket; an error if nothing has arrived.
  static func next(of descriptor: Int32, atMost limit: Int) -> Result<ReceivedBytes, SocketError> {
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = recv(descriptor, &bytes, limit, 0)
    if count < 0 { return .failure(.last) }
    var byte: UInt8 = 0
    let isLast = count == 0 || recv(descriptor, &byte, 1, Int32(MSG_PEEK)) == 0
    return .success(ReceivedBytes(bytes: Array(bytes[..<count]), isLast: isLast))
  }
}

/// A socket with blocking calls, which end when the socket is closed.
final class SimulatedSocket: @unchecked Sendable {
  // Unchecked because of the flag, which is used only under the lock.

  private let descriptor: Int32
  private let lock = NSLock()
  private var isClosed = false

  /// The interval in milliseconds at which a wait checks whether the socket was closed.
  private static let pollInterval: Int32 = 5

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { _ = Glibc.close(descriptor) }

  /// Connects to the first reachable address of a name.
  static func connected(
    to host: String, port: UInt16, until isUnwanted: () -> Bool
  ) -> Result<SimulatedSocket, NWError> {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    // kDNSServiceErr_NoSuchRecord of dns_sd.h.
    guard getaddrinfo(host, String(port), &hints, &list) == 0 else { return .failure(.dns(-65554)) }
    defer { freeaddrinfo(list) }
    var failure = POSIXErrorCode.EHOSTUNREACH
    var entry = list
    while let address = entry?.pointee {
      entry = address.ai_next
      let descriptor = Glibc.socket(address.ai_family, address.ai_socktype, address.ai_protocol)
      guard descriptor >= 0 else { continue }
      let socket = SimulatedSocket(descriptor)
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
      var result = connect(descriptor, address.ai_addr, address.ai_addrlen)
      if result != 0, errno == EINPROGRESS {
        while !isUnwanted(), !socket.isReady(POLLOUT) {}
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
        errno = code
        result = code == 0 ? 0 : -1
      }
      if result == 0 { return .success(socket) }
      failure = SocketError.last.code
    }
    return .failure(.posix(failure))
  }

  func close() {
    lock.withLock { isClosed = true }
    _ = shutdown(descriptor, Int32(SHUT_RDWR))
  }

  /// Closes without waiting for pending data, which is discarded.
  func abort() {
    lock.withLock { isClosed = true }
    var lingerOption = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &lingerOption,
      socklen_t(MemoryLayout<Glibc.linger>.size))
  }

  private var isFinished: Bool { lock.withLock { isClosed } }

  private func isReady(_ events: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    return poll(&entry, 1, Self.pollInterval) > 0
  }

  /// Sends all bytes; returns the error if that fails.
  func send(_ bytes: [UInt8]) -> POSIXErrorCode? {
    var offset = 0
    while offset < bytes.count {
      if isFinished { return .ECANCELED }
      if !isReady(POLLOUT) { continue }
      let count = bytes[offset...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count >= 0 { offset += count } else if errno != EAGAIN { return SocketError.last.code }
    }
    return nil
  }

  /// Waits for the next bytes; empty at the end of the stream.
  func receive(atMost limit: Int) -> Result<ReceivedBytes, SocketError> {
    while true {
      if isFinished { return .failure(.canceled) }
      if !isReady(POLLIN) { continue }
      let result = ReceivedBytes.next(of: descriptor, atMost: limit)
      if case .failure(let error) = result, error.code == .EAGAIN { continue }
      return result
    }
  }
}
