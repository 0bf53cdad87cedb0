import AacornSystem
import CAacornMicroHTTPD

/// A port at which nobody listens, and nobody else can.
final class KeptPort: Sendable {
  private let descriptor: Lock<Int32?>

  /// Keeps a port of a numeric address.
  init(_ port: Int, of address: String) throws(SystemError) {
    let result = unsafe aacorn_mhd_keep(address, Int32(port))
    if result < 0 { throw SystemError(number: -result) }
    descriptor = Lock(result)
  }

  deinit { release() }

  /// Leaves the port to others.
  func release() {
    descriptor.withLock { descriptor in
      if let number = descriptor { try? System.close(number) }
      descriptor = nil
    }
  }
}
