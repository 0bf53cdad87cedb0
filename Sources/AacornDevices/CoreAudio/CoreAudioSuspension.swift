import AacornSystem

/// The start and the limit of an interruption.
struct CoreAudioSuspension: Sendable, Equatable {
  /// The start of the interruption, by the monotonic clock, in nanoseconds.
  let start: Int64
  /// The maximum duration of the interruption; nil means no limit.
  let maxDuration: Duration?

  /// Returns the time that the interruption may still last, in milliseconds; nil means no limit.
  func remainingMilliseconds(at time: Int64) -> Int? {
    maxDuration.map { (Duration.nanoseconds(start - time) + $0).millisecondsToWait }
  }

  /// Returns whether the interruption has reached its limit.
  func isTooLong(at time: Int64) -> Bool { remainingMilliseconds(at: time) == 0 }

  /// The error that ends the wait.
  var error: DeviceError {
    let length = QuantityText.length(Double((maxDuration ?? .zero).nanoseconds) * 1e-9)
    return .system(
      operation: "resume", id: "microphone",
      reason: "it has been interrupted for \(length); record again when it is free")
  }
}
