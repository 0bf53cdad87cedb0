import AacornSystem

/// The schedule of retries for a missing device, with exponential backoff.
///
/// Every retry may activate a session, which can be audible and can interrupt other apps. The
/// system usually reports a device that returns; then ``CoreAudioControl`` retries immediately.
struct CoreAudioBackOff: Sendable, Equatable {
  /// The shortest wait, in milliseconds, and the maximum number of doublings, for at most 16
  /// seconds.
  private static let minDelayMilliseconds = 250
  private static let maxDoublingCount = 6

  /// The number of failed retries, counted until the wait stops growing.
  private var retryCount = 0

  /// The wait before the next retry, in milliseconds.
  var milliseconds: Int { Self.minDelayMilliseconds << max(0, retryCount - 1) }

  /// Records a failed retry.
  mutating func lengthen() {
    retryCount = min(retryCount + 1, Self.maxDoublingCount + 1)
  }

  /// Restarts the schedule, because devices or circumstances have changed.
  mutating func reset() {
    retryCount = 0
  }
}

/// Limits how often a unit is replaced because its route has changed.
///
/// A unit may change the route itself, as voice processing does, and following every such change
/// would never end.
struct CoreAudioRebuilds: Sendable, Equatable {
  /// The maximum number of replacements per period (in nanoseconds): more than any user causes.
  private static let maxCount = 8
  private static let period: Int64 = 10_000_000_000

  /// The times of the last replacements, in order.
  private var times: [Int64] = []

  /// Records a replacement; returns false if the replacement must wait.
  mutating func begin(at time: Int64) -> Bool {
    times.removeAll { $0 <= time - Self.period }
    guard times.count < Self.maxCount else { return false }
    times.append(time)
    return true
  }
}

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
