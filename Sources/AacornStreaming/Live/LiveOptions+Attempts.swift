import AacornWeb

extension LiveOptions {
  /// Why there is no further attempt after so many failed ones in a row; nil if there is one.
  ///
  /// A server that has accepted the stream once may do so again: a stand-in during its restart, or a
  /// clock that is being set, refuses only for a while.
  func end(after failure: NetworkError, attemptCount: Int, wasLive: Bool) -> NetworkError? {
    if failure.kind == .libraryMissing || (failure.isPermanent && !wasLive) { return failure }
    guard let limit = attemptLimit, attemptCount >= limit else { return nil }
    if limit == 0 { return failure }
    let attempts = limit == 1 ? "one attempt" : "\(limit) attempts"
    return NetworkError(
      failure.kind, failure.sentence + " Gave up after \(attempts) to reconnect.")
  }
}
