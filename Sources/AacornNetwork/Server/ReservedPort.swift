import AacornSystem

/// A reserved port: this program does not listen at it, and other programs cannot.
final class ReservedPort: Sendable {
  private let descriptor: Lock<Int32?>

  /// Reserves a port of a numeric address.
  ///
  /// Returns nil if it is in use or not permitted.
  init?(_ port: Int, of address: String) {
    guard let result = try? System.reservePort(port, of: address) else { return nil }
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
