import AacornSystem

/// How long to wait for what a server sends.
struct HTTPPatience {
  /// How long it may be silent.
  let silence: Duration
  /// When the last bytes came.
  private var arrival = System.nanoseconds

  init(_ silence: Duration) { self.silence = silence }

  /// The reason where bytes have come, and not enough of them.
  static let slowness = "it answers too slowly"

  /// When a wait that begins now has been in vain.
  var deadline: Int64 { System.nanoseconds + silence.nanoseconds }

  /// Notes that bytes have come.
  mutating func noteArrival() { arrival = System.nanoseconds }

  /// Why to wait for bytes no longer; nil until the time is over.
  func reason(after deadline: Int64) -> String? {
    let now = System.nanoseconds
    if now <= deadline { return nil }
    return now - arrival >= silence.nanoseconds ? "it has fallen silent" : Self.slowness
  }
}
