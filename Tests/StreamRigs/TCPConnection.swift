import AacornSystem
import Foundation
import Simulation
import SoundRigs

/// One end of a local connection.
///
/// Any thread may call `end` and `reset`. Only the threads that serve the connection may call the
/// other methods.
package final class TCPConnection: Sendable {
  private let descriptor: Int32
  private let state = Lock(State())

  private struct State {
    var isEnding = false
    var isReset = false
    var isClosed = false
  }

  /// Creates one end that owns a nonblocking socket.
  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var yes: Int32 = 1
    unsafe setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Connects an address of this computer to a port of it; nil if no server listens there.
  ///
  /// With a small window, the connection receives little at a time.
  package convenience init?(
    toPort port: Int, from source: String = "127.0.0.1", window: Int32? = nil
  ) {
    if let world = Simulation.current {
      guard let socket = try? world.localNetwork.connect(toPort: port, from: source) else {
        return nil
      }
      self.init(socket)
      return
    }
    guard let descriptor = try? System.openSocket(AF_INET) else { return nil }
    if var window {
      let size = socklen_t(MemoryLayout<Int32>.size)
      unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &window, size)
    }
    guard Self.call(bind, descriptor, source, 0),
      Self.call(connect, descriptor, "127.0.0.1", port) || errno == EINPROGRESS
    else {
      Foundation.close(descriptor)
      return nil
    }
    self.init(descriptor)
    // The connection is established, or rejected, when bytes can be written.
    var error: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    _ = System.wait(
      for: descriptor, writing: true, orFor: nil, milliseconds: TestTimeout.milliseconds)
    unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size)
    if error != 0 {
      close()
      return nil
    }
  }

  private static func call(
    _ function: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ descriptor: Int32,
    _ host: String, _ port: Int
  ) -> Bool {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    unsafe inet_pton(AF_INET, host, &address.sin_addr)
    return unsafe withUnsafeBytes(of: &address) { bytes in
      unsafe function(
        descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress,
        socklen_t(bytes.count))
    } == 0
  }

  package var isClosed: Bool { state.withLock(\.isClosed) }

  /// Whether the connection should end.
  ///
  /// `read` and `write` then fail.
  package var isEnding: Bool { state.withLock { $0.isEnding || $0.isClosed } }

  /// Waits up to `milliseconds`, and returns whether bytes or the end of the stream can be read.
  package func isReadable(milliseconds: Int) -> Bool {
    if isEnding { return false }
    return System.wait(for: descriptor, writing: false, orFor: nil, milliseconds: milliseconds)
  }

  /// Waits for bytes and returns them, or nil at the end of the stream.
  package func read(limit: Int = 16_384) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: limit)
    while !isEnding {
      do throws(SystemError) {
        if let count = try System.receive(descriptor, into: &bytes) {
          return count == 0 ? nil : Array(bytes[..<count])
        }
      } catch { return nil }
      _ = isReadable(milliseconds: 20)
    }
    return nil
  }

  /// Returns the received bytes without consuming them.
  package func peek(limit: Int = 1 << 20) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_PEEK))
    }
    return Array(bytes[..<max(0, count)])
  }

  #if os(Linux)
  /// Whether the receive buffer is full, so that no bytes can arrive until some are read.
  ///
  /// The other end, which must be the only one, then either probes the closed window or resends
  /// data that did not fit.
  package var hasNoRoom: Bool {
    // The columns are: number, local address, remote address, state, queues, active timer (4: zero
    // window probe, 1: retransmission), and the number of retries. The system returns the table one
    // page at a time, which only a file handle reads to the end.
    let table = try? FileHandle(forReadingAtPath: "/proc/net/tcp")?.readToEnd()
    let rows = String(decoding: table ?? Data(), as: UTF8.self)
    let own = ":" + Self.hexadecimal(System.port(of: descriptor))
    return rows.split(separator: "\n").contains { row in
      let columns = row.split(separator: " ")
      guard columns.count > 6, columns[2].hasSuffix(own) else { return false }
      return columns[5].hasPrefix("04:")
        || columns[5].hasPrefix("01:") && columns[6] != "00000000"
    }
  }

  private static func hexadecimal(_ port: Int) -> String {
    let digits = String(port, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
  #endif

  /// Reads up to and including a text; nil if the stream ends first.
  package func read(through text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    let mark = Array(text.utf8)
    while !bytes.suffix(mark.count).elementsEqual(mark) {
      guard let next = read(limit: 1) else { return nil }
      bytes += next
    }
    return bytes
  }

  /// Reads exactly `count` bytes; nil if the stream ends first.
  package func read(count: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < count {
      guard let more = read(limit: count - bytes.count) else { return nil }
      bytes += more
    }
    return bytes
  }

  /// Writes all the bytes; false if the connection is broken, or accepts nothing for five minutes.
  @discardableResult
  package func write(_ bytes: [UInt8]) -> Bool {
    var offset = 0
    var deadline = System.seconds + TestTimeout.seconds
    while offset < bytes.count {
      if isEnding { return false }
      do throws(SystemError) {
        let count = try System.send(descriptor, bytes, from: offset)
        offset += count
        if count > 0 {
          deadline = System.seconds + TestTimeout.seconds
        } else if System.seconds > deadline {
          return false
        } else {
          _ = System.wait(for: descriptor, writing: true, orFor: nil, milliseconds: 20)
        }
      } catch { return false }
    }
    return true
  }

  package func finishWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Requests the end of the connection from the threads that serve it.
  package func end() { state.withLock { $0.isEnding = true } }

  /// Requests the end of the connection with an RST instead of a regular close.
  package func reset() {
    state.withLock { state in
      state.isEnding = true
      state.isReset = true
    }
  }

  /// Closes the connection.
  ///
  /// Called by the thread that serves it.
  package func close() {
    state.withLock { state in
      if state.isClosed { return }
      state.isClosed = true
      if state.isReset {
        var nothing = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(
          descriptor, SOL_SOCKET, SO_LINGER, &nothing, socklen_t(MemoryLayout<linger>.size))
      }
      Foundation.close(descriptor)
    }
  }
}
