package import AacornSystem
import Glibc
import TestSignals

/// The network of a world: Unix domain sockets, whose abstract names contain an address and a port.
///
/// The system passes bytes between such sockets before a call returns, so a test does not depend on real time. A
/// socket accepts connections of any address of its family. If a client closes its socket, the server notices that
/// like a reset.
package final class LocalNetwork: WorldNetwork {
  /// The beginning of all names, different for each world.
  private let prefix: String
  private var numbers: SeededNumbers
  /// Whether calls transfer parts of their bytes, buffers are small, and `accept` fails at times.
  private let isFaulty: Bool
  private var lastPort = LocalNetwork.firstPort
  private var acceptErrors: [Int32] = []

  private static let firstPort = 40_000
  private static let worldCount = Lock(0)
  /// The errors of `accept` that concern a client only (accept(2)).
  private static let clientErrors = [ECONNABORTED, EPROTO, ENETDOWN, EHOSTUNREACH]

  init(seed: Int, isFaulty: Bool) {
    let number = Self.worldCount.withLock { count in
      count += 1
      return count
    }
    prefix = "aacorn-\(getpid())-\(number)/"
    numbers = SeededNumbers(seed: seed &+ 2 << 32)
    self.isFaulty = isFaulty
  }

  /// Whether the world has used sockets.
  package var wasUsed: Bool { lastPort > Self.firstPort }

  /// Makes the next calls of `accept` fail with these error numbers.
  package func failAccept(_ errors: [Int32]) { acceptErrors = errors }

  /// Connects a socket at `source` to a port; throws if no server listens there.
  package func connect(toPort port: Int, from source: String) throws(SystemError) -> Int32 {
    let socket = try System.openSocket(AF_UNIX)
    lastPort += 1
    do throws(SystemError) {
      try call(bind, socket, "\(source):\(lastPort)")
      try call(Glibc.connect, socket, Self.name(source, port))
    } catch {
      try? System.close(socket)
      throw error
    }
    limitBuffer(of: socket)
    return socket
  }

  /// The number of open sockets with an address of this network, accepted ones included.
  package var socketCount: Int {
    var text: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    guard let file = try? System.open("/proc/net/unix", for: .reading) else { return 0 }
    while let count = try? System.read(file, into: &block), count > 0 { text += block[..<count] }
    try? System.close(file)
    return String(decoding: text, as: UTF8.self).split(separator: "\n").count {
      $0.contains("@" + prefix)
    }
  }

  // MARK: Calls of the system

  package func openPort(
    _ port: Int, of address: String, isListening: Bool
  ) throws(SystemError) -> Int32 {
    let socket = try System.openSocket(AF_UNIX)
    if port == 0 { lastPort += 1 }
    do throws(SystemError) {
      try call(bind, socket, Self.name(address, port == 0 ? lastPort : port))
      if isListening, listen(socket, SOMAXCONN) < 0 { throw .last }
    } catch {
      try? System.close(socket)
      throw error
    }
    return socket
  }

  package func port(of socket: Int32) -> Int {
    (name(of: socket, getsockname)?.split(separator: ":").last).flatMap { Int($0) } ?? 0
  }

  package func socketName(of address: String, port: Int) -> String {
    prefix + Self.name(address, port)
  }

  package func takeAcceptError() -> Int32? {
    if !acceptErrors.isEmpty { return acceptErrors.removeFirst() }
    if !isFaulty { return nil }
    switch Int.random(in: 0..<40, using: &numbers) {
    case 0: return EMFILE
    case 1...5: return Self.clientErrors.randomElement(using: &numbers)
    default: return nil
    }
  }

  package func admit(_ socket: Int32) -> [UInt8] {
    limitBuffer(of: socket)
    let parts = name(of: socket, getpeername)?.split(separator: ":").first?.split(separator: ".")
    return (parts ?? []).compactMap { UInt8($0) }
  }

  package func transferLimit(_ count: Int) -> Int {
    guard isFaulty, count > 0 else { return count }
    switch Int.random(in: 0..<8, using: &numbers) {
    case 0: return 1
    case 1: return Int.random(in: 1...min(100, count), using: &numbers)
    case 2, 3: return Int.random(in: 1...count, using: &numbers)
    default: return count
    }
  }

  // MARK: Sockets

  /// The part of a name after `prefix`; `4` is any address of IPv4, `6` of IPv6.
  private static func name(_ address: String, _ port: Int) -> String {
    "\(address.contains(":") ? 6 : 4):\(port)"
  }

  private func limitBuffer(of socket: Int32) {
    guard isFaulty, Bool.random(using: &numbers) else { return }
    var size = Int32.random(in: 4608...30_000, using: &numbers)
    setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Calls `bind` or `connect` with a name.
  private func call(
    _ function: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ socket: Int32,
    _ name: String
  ) throws(SystemError) {
    // An abstract name begins with a zero byte.
    let bytes = [0] + Array((prefix + name).utf8)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let size = socklen_t(Self.start + bytes.count)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { function(socket, $0, size) }
    }
    if result < 0 { throw .last }
  }

  private static let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 0

  /// Returns the name of a socket or its peer after `prefix`; nil for another socket.
  private func name(
    of socket: Int32,
    _ function: (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32
  ) -> String? {
    var address = sockaddr_un()
    var size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { function(socket, $0, &size) }
    }
    guard result == 0, Int(size) > Self.start + 1 else { return nil }
    let text = withUnsafeBytes(of: &address) { bytes in
      String(decoding: bytes[(Self.start + 1)..<Int(size)], as: UTF8.self)
    }
    return text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : nil
  }
}
