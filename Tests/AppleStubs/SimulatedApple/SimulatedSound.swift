/// What microphones hear and what loudspeakers play.
public enum SimulatedSound {
  /// The sample of a device's frame and channel; frames count from the device's beginning.
  public typealias Signal = @Sendable (_ device: String, _ frame: Int, _ channel: Int) -> Float

  private struct Content {
    var signal: Signal = { _, _, _ in 0 }
    var played: [String: [Float]] = [:]
  }
  private static let content = Guarded(Content())

  /// What microphones hear; nothing at first.
  public static var signal: Signal {
    get { content.change(\.signal) }
    set { content.change { $0.signal = newValue } }
  }

  /// What was played on a device, interleaved.
  public static func played(on device: String) -> [Float] {
    content.change { $0.played[device] ?? [] }
  }

  /// Notes what is played.
  public static func play(_ samples: [Float], on device: String) {
    content.change { $0.played[device, default: []] += samples }
  }

  public static func reset() {
    content.change { $0 = Content() }
  }
}

/// Simulated time, which passes by the block; it begins when everything is made new.
public enum SimulatedTime {
  private static let content = Guarded((start: UInt64(0), seconds: 0.0))
  /// As on a phone: 125 nanoseconds in 3 ticks.
  public static let ticksPerSecond = 24e6

  /// Seconds since the beginning.
  public static var seconds: Double { content.change(\.seconds) }

  /// The host time of a moment.
  public static func ticks(at seconds: Double) -> UInt64 {
    content.change { $0.start + UInt64(seconds * ticksPerSecond) }
  }

  /// Lets time pass.
  public static func pass(_ seconds: Double) {
    content.change { $0.seconds += seconds }
  }

  /// Begins anew at this host time.
  public static func begin(at ticks: UInt64) {
    content.change { $0 = (ticks, 0) }
  }
}
