import AacornWeb

extension LiveOptions {
  /// Returns the reason for making no further attempt after `attemptCount` consecutive failures, or
  /// nil to try again.
  ///
  /// A server that accepted the stream once may do so again: a placeholder during its restart, or a
  /// clock that is being set, rejects the stream only for a while.
  func end(after failure: NetworkError, attemptCount: Int, wasLive: Bool) -> NetworkError? {
    if failure.kind == .libraryMissing || (failure.isPermanent && !wasLive) { return failure }
    guard let limit = attemptLimit, attemptCount >= limit else { return nil }
    if limit == 0 { return failure }
    let attempts = limit == 1 ? "one attempt" : "\(limit) attempts"
    return NetworkError(
      failure.kind, failure.message + " Gave up after \(attempts) to reconnect.")
  }
}
