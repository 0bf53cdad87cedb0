/// What microphones hear and what loudspeakers play.
package enum SimulatedSound {
  /// The sample of a device's frame and channel; frames count from the device's beginning.
  package typealias Signal = @Sendable (_ device: String, _ frame: Int, _ channel: Int) -> Float

  private struct Content {
    var signal: Signal = { _, _, _ in 0 }
    var played: [String: [Float]] = [:]
  }
  private static let content = Guarded(Content())

  /// What microphones hear; nothing at first.
  package static var signal: Signal {
    get { content.change(\.signal) }
    set { content.change { $0.signal = newValue } }
  }

  /// What was played on a device, interleaved.
  package static func played(on device: String) -> [Float] {
    content.change { $0.played[device] ?? [] }
  }

  /// Notes what is played.
  package static func play(_ samples: [Float], on device: String) {
    content.change { $0.played[device, default: []] += samples }
  }

  package static func reset() {
    content.change { $0 = Content() }
  }
}

/// Simulated time, which passes by the block; it begins when everything is made new.
package enum SimulatedTime {
  private static let content = Guarded((start: UInt64(0), seconds: 0.0, blockSeconds: 0.0))
  /// As on a phone: 125 nanoseconds in 3 ticks.
  package static let ticksPerSecond = 24e6

  /// Seconds since the beginning.
  package static var seconds: Double { content.change(\.seconds) }

  /// The host time of a moment.
  package static func ticks(at seconds: Double) -> UInt64 {
    content.change { $0.start + UInt64(seconds * ticksPerSecond) }
  }

  /// The end of the block that running units move now; outside of a block, the same as `seconds`.
  ///
  /// A unit that starts meanwhile begins here. It would otherwise capture a block that its
  /// predecessor has captured.
  package static var endOfBlock: Double { content.change { $0.seconds + $0.blockSeconds } }

  /// Moves a block of this length, and lets its time pass afterward.
  package static func pass(_ seconds: Double, moving move: () -> Void = {}) {
    content.change { $0.blockSeconds = seconds }
    move()
    content.change {
      $0.seconds += seconds
      $0.blockSeconds = 0
    }
  }

  /// Begins anew at this host time.
  package static func begin(at ticks: UInt64) {
    content.change { $0 = (ticks, 0, 0) }
  }
}
