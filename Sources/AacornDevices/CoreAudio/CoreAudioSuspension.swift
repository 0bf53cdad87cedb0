import AacornSystem

/// The start and the limit of an interruption.
struct CoreAudioSuspension: Sendable, Equatable {
  /// The start of the interruption, by the monotonic clock, in nanoseconds.
  let start: Int64
  /// The maximum duration of the interruption; nil means no limit.
  let longest: Duration?

  /// Returns the time that the interruption may still last, in milliseconds; nil means no limit.
  func rest(at time: Int64) -> Int? {
    longest.map { (Duration.nanoseconds(start - time) + $0).millisecondsToWait }
  }

  /// Returns whether the interruption has reached its limit.
  func isTooLong(at time: Int64) -> Bool { rest(at: time) == 0 }

  /// The error that ends the wait.
  var error: CaptureError {
    let length = QuantityText.length(Double((longest ?? .zero).nanoseconds) * 1e-9)
    return .system(
      operation: "resume", id: "microphone",
      reason: "it has been interrupted for \(length); record again when it is free")
  }
}
