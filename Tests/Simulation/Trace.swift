/// The steps of a simulation.
struct Trace {
  private(set) var fingerprint: UInt64 = 0xCBF2_9CE4_8422_2325
  private var steps: [(thread: Int, reason: String, time: Int64)] = []
  private var position = 0

  mutating func add(_ thread: Int, _ reason: String, _ time: Int64) {
    for value in [UInt64(thread), UInt64(reason.utf8.first ?? 0), UInt64(bitPattern: time)] {
      fingerprint = (fingerprint ^ value) &* 0x100_0000_01B3
    }
    if steps.count < 120 {
      steps.append((thread, reason, time))
    } else {
      steps[position] = (thread, reason, time)
      position = (position + 1) % steps.count
    }
  }

  /// The last 120 steps.
  var last: [(thread: Int, reason: String, time: Int64)] {
    Array(steps[position...] + steps[..<position])
  }
}
