import AacornSystem

/// How long an interruption has lasted, and how long it may.
struct CoreAudioSuspension: Sendable, Equatable {
  /// When it began, by the monotonic clock.
  let start: Int64
  /// How long it may last; nil means forever.
  let longest: Duration?

  /// How long it may still last, in milliseconds; nil means forever.
  func rest(at time: Int64) -> Int? {
    longest.map { (Duration.nanoseconds(start - time) + $0).millisecondsToWait }
  }

  /// Whether it has lasted too long.
  func isTooLong(at time: Int64) -> Bool { rest(at: time) == 0 }

  /// Why it cannot be waited for any longer.
  var error: CaptureError {
    let length = QuantityText.length(Double((longest ?? .zero).nanoseconds) * 1e-9)
    return .system(
      operation: "take back", id: "microphone",
      reason: "it has been interrupted for \(length), so record again when it is free")
  }
}
