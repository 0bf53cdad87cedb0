import AacornSystem
import CAacornMicroHTTPD

/// A reserved port: this program does not listen at it, and other programs cannot.
final class ReservedPort: Sendable {
  private let descriptor: Lock<Int32?>

  /// Reserves a port of a numeric address.
  ///
  /// Returns nil if it is in use or not permitted.
  init?(_ port: Int, of address: String) {
    let result = unsafe aacorn_mhd_keep(address, Int32(port))
    if result < 0 { return nil }
    descriptor = Lock(result)
  }

  deinit { release() }

  /// Whether the port has not been released.
  var isKept: Bool { descriptor.withLock { $0 != nil } }

  /// Releases the port, so that other programs can use it.
  func release() {
    descriptor.withLock { descriptor in
      if let number = descriptor { try? System.close(number) }
      descriptor = nil
    }
  }
}
