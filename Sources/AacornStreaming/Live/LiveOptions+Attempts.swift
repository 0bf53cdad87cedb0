import AacornWeb

extension LiveOptions {
  /// Returns the reason for making no further attempt after `attemptCount` consecutive failures, or
  /// nil to try again.
  ///
  /// Once the server has accepted the stream, an error that otherwise counts as permanent may be
  /// temporary: for example, a placeholder responds while the server restarts, or a wrong clock is
  /// about to be set.
  func end(after failure: NetworkError, attemptCount: Int, wasLive: Bool) -> NetworkError? {
    if failure.kind == .libraryMissing || (failure.isPermanent && !wasLive) { return failure }
    guard let limit = attemptLimit, attemptCount >= limit else { return nil }
    if limit == 0 { return failure }
    let attempts = limit == 1 ? "one attempt" : "\(limit) attempts"
    return NetworkError(
      failure.kind, failure.message + " Gave up after \(attempts) to reconnect.")
  }
}
