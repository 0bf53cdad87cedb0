import AacornSystem
import Foundation

extension TCPConnection {
  /// Connects to a socket file; nil if no server listens there or permission is denied.
  package convenience init?(toSocket path: String) {
    guard let descriptor = try? System.openSocket(AF_UNIX) else { return nil }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let result = unsafe withUnsafeMutableBytes(of: &address) { buffer in
      let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 0
      guard start + bytes.count < buffer.count else { return Int32(-1) }
      for (index, byte) in bytes.enumerated() { unsafe buffer[start + index] = byte }
      return unsafe connect(
        descriptor, buffer.assumingMemoryBound(to: sockaddr.self).baseAddress,
        socklen_t(buffer.count))
    }
    guard result == 0 else {
      Foundation.close(descriptor)
      return nil
    }
    self.init(descriptor)
  }

  /// Requests a page from a server of this computer, and returns the response with its head; nil if
  /// no server listens at the port.
  static func page(_ path: String, atPort port: Int) -> String? {
    guard let connection = TCPConnection(toPort: port) else { return nil }
    defer { connection.close() }
    connection.write(Array("GET \(path) HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n".utf8))
    var bytes: [UInt8] = []
    while let more = connection.read() { bytes += more }
    return String(decoding: bytes, as: UTF8.self)
  }
}
