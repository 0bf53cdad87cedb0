import AacornSystem

/// The time limit for data from a server.
struct HTTPTimeouts {
  /// The maximum time that the server may be silent.
  let silenceTimeout: Duration
  /// The time at which the last bytes arrived.
  private var arrival = System.nanoseconds

  init(_ silenceTimeout: Duration) { self.silenceTimeout = silenceTimeout }

  /// The error text about a server that sends too few bytes.
  static let tooSlowReason = "it sends data too slowly"

  /// The time at which a wait that starts now expires.
  var deadline: Int64 { System.nanoseconds + silenceTimeout.nanoseconds }

  /// Records that bytes were received.
  mutating func recordArrival() { arrival = System.nanoseconds }

  /// The reason for ending a wait after its deadline.
  var reason: String {
    System.nanoseconds - arrival >= silenceTimeout.nanoseconds
      ? "it stopped sending data" : Self.tooSlowReason
  }
}
