import Foundation
import Glibc

extension SimulatedStream {
  /// The interval in milliseconds at which connecting checks whether it is still wanted.
  private static let pollInterval: Int32 = 5

  /// Connects to the first reachable address of a name.
  static func connected(
    to host: String, port: UInt16, until isUnwanted: () -> Bool
  ) -> Result<SimulatedStream, NWError> {
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
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
      var result = connect(descriptor, address.ai_addr, address.ai_addrlen)
      if result != 0, errno == EINPROGRESS {
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        while !isUnwanted(), poll(&ready, 1, pollInterval) <= 0 {}
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
        errno = code
        result = code == 0 ? 0 : -1
      }
      if result == 0 { return .success(SimulatedStream(descriptor)) }
      failure = SocketError.last.code
      _ = Glibc.close(descriptor)
    }
    return .failure(.posix(failure))
  }
}
