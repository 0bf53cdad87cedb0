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

/// The non-blocking socket of a connection.
///
/// One queue serves all streams, because hundreds of streams may exist, too many for threads.
final class SimulatedStream: @unchecked Sendable {
  // Unchecked because of the variables, which are used only on the queue.

  static let queue = DispatchQueue(label: "sockets")

  private let descriptor: Int32
  private var receiving: (limit: Int, completion: (Result<ReceivedBytes, SocketError>) -> Void)?
  private var outgoing: [(bytes: [UInt8], completion: (POSIXErrorCode?) -> Void)] = []
  private var sentCount = 0
  /// Whether the stream ends after the pending data is sent.
  private var isClosing = false
  private var isClosed = false

  /// The address of the other end; nil after a disconnection.
  var peer: NWEndpoint? {
    var address = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &size) }
    }
    return result == 0 ? NWEndpoint(address) : nil
  }

  /// Creates a stream that owns the socket.
  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  func receive(
    atMost limit: Int,
    _ completion: @escaping @Sendable (Result<ReceivedBytes, SocketError>) -> Void
  ) {
    Self.queue.async {
      self.receiving = (limit, completion)
      self.read()
    }
  }

  func send(_ bytes: [UInt8], _ completion: @escaping @Sendable (POSIXErrorCode?) -> Void) {
    Self.queue.async {
      if self.isClosed || self.isClosing { return completion(.ECANCELED) }
      self.outgoing.append((bytes, completion))
      if self.outgoing.count == 1 { self.write() }
    }
  }

  /// Ends the sending direction after the pending data.
  func finish() {
    send([]) { error in
      if error == nil { _ = shutdown(self.descriptor, Int32(SHUT_WR)) }
    }
  }

  /// Closes the stream after the pending data is sent.
  func close(_ completion: @escaping @Sendable () -> Void) {
    Self.queue.async {
      self.isClosing = true
      self.answer(.failure(.canceled))
      if self.outgoing.isEmpty { self.end() }
      completion()
    }
  }

  /// Closes the stream immediately and discards the pending data.
  func abort() {
    Self.queue.async {
      if self.isClosed { return }
      var lingerOption = linger(l_onoff: 1, l_linger: 0)
      setsockopt(
        self.descriptor, SOL_SOCKET, SO_LINGER, &lingerOption,
        socklen_t(MemoryLayout<Glibc.linger>.size))
      self.answer(.failure(.canceled))
      self.end()
    }
  }

  // MARK: - On the queue

  private func read() {
    guard let receiving else { return }
    if isClosed || isClosing { return answer(.failure(.canceled)) }
    let result = ReceivedBytes.next(of: descriptor, atMost: receiving.limit)
    if case .failure(let error) = result, error.code == .EAGAIN {
      SocketWatch.shared.waitToRead(descriptor) { self.read() }
    } else {
      answer(result)
    }
  }

  private func answer(_ result: Result<ReceivedBytes, SocketError>) {
    let completion = receiving?.completion
    receiving = nil
    completion?(result)
  }

  private func write() {
    while let (bytes, completion) = outgoing.first {
      while sentCount < bytes.count {
        let count = bytes[sentCount...].withUnsafeBytes {
          Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if count >= 0 {
          sentCount += count
        } else if errno == EAGAIN {
          return SocketWatch.shared.waitToWrite(descriptor) { self.write() }
        } else {
          let error = SocketError.last.code
          let failed = outgoing
          outgoing = []
          for entry in failed { entry.completion(error) }
          if isClosing { end() }
          return
        }
      }
      sentCount = 0
      outgoing.removeFirst()
      completion(nil)
    }
    if isClosing { end() }
  }

  private func end() {
    if isClosed { return }
    isClosed = true
    let rest = outgoing
    outgoing = []
    for entry in rest { entry.completion(.ECANCELED) }
    SocketWatch.shared.close(descriptor)
  }
}
