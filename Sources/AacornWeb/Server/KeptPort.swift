import AacornSystem
import CAacornMicroHTTPD

/// A port at which nobody listens, and nobody else can.
final class KeptPort: Sendable {
  private let descriptor: Lock<Int32?>

  /// Keeps a port of a numeric address; nil if another has it, or this program may not.
  init?(_ port: Int, of address: String) {
    let result = unsafe aacorn_mhd_keep(address, Int32(port))
    if result < 0 { return nil }
    descriptor = Lock(result)
  }

  deinit { release() }

  /// Whether it has not been released.
  var isKept: Bool { descriptor.withLock { $0 != nil } }

  /// Leaves the port to others.
  func release() {
    descriptor.withLock { descriptor in
      if let number = descriptor { try? System.close(number) }
      descriptor = nil
    }
  }
}
