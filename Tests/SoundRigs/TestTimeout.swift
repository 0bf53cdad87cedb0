import AacornSystem

/// The timeout for expected events.
///
/// It is longer than any machine needs, however busy and with any sanitizer.
///
/// Every limit that only turns a hang into a failure uses this value. It costs nothing if the test
/// succeeds.
package enum TestTimeout {
  /// In minutes.
  package static let minutes = 5
  /// In seconds.
  package static var seconds: Double { Double(60 * minutes) }
  /// In milliseconds.
  package static var milliseconds: Int { 60_000 * minutes }
  /// As a duration.
  package static var duration: Duration { .seconds(60 * minutes) }
}

/// Waits until `condition` returns true; returns false after the timeout of ``TestTimeout``.
///
/// The caller's expectation should name the expected event.
package func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  let deadline = System.seconds + TestTimeout.seconds
  // A condition may query a busy server, so the pauses become longer.
  var pause = 1
  while System.seconds < deadline {
    if try condition() { return true }
    System.sleep(milliseconds: pause)
    pause = min(50, pause + 1)
  }
  return try condition()
}

/// Waits until `condition` returns true without blocking a thread of Swift's concurrency; returns
/// false on timeout.
///
/// Tests that block these threads delay all tasks alike. So it also waits for 1,000 steps of this
/// task, in which the other tasks can run.
package func eventuallyYielding(_ condition: @Sendable () -> Bool) async throws -> Bool {
  let deadline = System.seconds + TestTimeout.seconds
  var turns = 0
  while turns < 1000 || System.seconds < deadline {
    if condition() { return true }
    try await Task.sleep(for: .milliseconds(1))
    turns += 1
  }
  return condition()
}
