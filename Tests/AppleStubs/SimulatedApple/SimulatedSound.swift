/// The input of microphones and the output of loudspeakers.
package enum SimulatedSound {
  /// The sample of a device's frame and channel; frame 0 is the first since the device was created.
  package typealias Signal = @Sendable (_ device: String, _ frame: Int, _ channel: Int) -> Float

  private struct Content {
    var signal: Signal = { _, _, _ in 0 }
    var played: [String: [Float]] = [:]
  }
  private static let content = Guarded(Content())

  /// The input of microphones; silence until a test sets it.
  package static var signal: Signal {
    get { content.change(\.signal) }
    set { content.change { $0.signal = newValue } }
  }

  /// The interleaved samples that were played on a device.
  package static func played(on device: String) -> [Float] {
    content.change { $0.played[device] ?? [] }
  }

  /// Records played samples.
  package static func play(_ samples: [Float], on device: String) {
    content.change { $0.played[device, default: []] += samples }
  }

  package static func reset() {
    content.change { $0 = Content() }
  }
}

/// The simulated time, which advances by the block and begins at a reset.
package enum SimulatedTime {
  private static let content = Guarded((start: UInt64(0), seconds: 0.0, blockSeconds: 0.0))
  /// As on a phone: 3 ticks are 125 nanoseconds.
  package static let ticksPerSecond = 24e6

  /// The seconds since the reset.
  package static var seconds: Double { content.change(\.seconds) }

  /// The host time at `seconds`.
  package static func ticks(at seconds: Double) -> UInt64 {
    content.change { $0.start + UInt64(seconds * ticksPerSecond) }
  }

  /// The end of the block that running units move now; outside of a block, equal to `seconds`.
  ///
  /// A unit that starts during a block begins here. Otherwise it would capture a block that its
  /// predecessor has captured.
  package static var endOfBlock: Double { content.change { $0.seconds + $0.blockSeconds } }

  /// Moves a block of this length, and then advances the time by it.
  package static func pass(_ seconds: Double, moving move: () -> Void = {}) {
    content.change { $0.blockSeconds = seconds }
    move()
    content.change {
      $0.seconds += seconds
      $0.blockSeconds = 0
    }
  }

  /// Restarts the time at the host time `ticks`.
  package static func begin(at ticks: UInt64) {
    content.change { $0 = (ticks, 0, 0) }
  }
}
