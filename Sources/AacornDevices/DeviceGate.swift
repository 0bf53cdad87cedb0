import AacornSystem

/// Allows the thread of a device to use a sink or a feed until its owner closes the gate.
///
/// Any call of a sound library may hang. An owner that stops waiting for the thread closes the gate.
/// If the thread later returns from the call, it cannot use the sink or the feed.
final class DeviceGate: Sendable {
  private let state = Atomic<Int>(open)
  private static let open = 0
  private static let inUse = 1
  private static let closed = 2

  /// Runs an operation on the sink or the feed, on the device's thread, without waiting.
  ///
  /// It has no effect after `close` was called.
  func perform(_ body: () -> Void) {
    guard state.replace(Self.open, with: Self.inUse) else { return }
    body()
    state.store(Self.open, ordering: .releasing)
  }

  /// Whether `close` has not been called.
  var isOpen: Bool { state.load(ordering: .acquiring) != Self.closed }

  /// Prevents all later operations.
  func close() {
    while state.load(ordering: .relaxed) != Self.closed {
      // The gate is in use for microseconds at most, and only if the thread has just returned from
      // a call.
      state.replace(Self.open, with: Self.closed)
      System.spin()
    }
  }
}
