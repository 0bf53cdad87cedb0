import AacornSystem

/// How long a test waits for what must come before it fails: so long that no machine takes it,
/// however busy and with whatever sanitizer.
///
/// Every limit that only makes a failure of a hang is this one. It costs nothing where all is well.
package enum Patience {
  /// In minutes.
  package static let minutes = 5
  /// In seconds.
  package static var seconds: Double { Double(60 * minutes) }
  /// In milliseconds.
  package static var milliseconds: Int { 60_000 * minutes }
  /// As a duration.
  package static var duration: Duration { .seconds(60 * minutes) }
}

/// Seconds in which a call comes back that waits for nothing, on a machine however busy.
///
/// It is meant for calls that would otherwise wait for something that never comes, or comes minutes
/// later.
package let promptSeconds = 60.0

/// Waits until something comes true, as long as ``Patience`` lasts; whether it did.
///
/// Say in the expectation what was awaited.
package func comesTrue(_ condition: () throws -> Bool) rethrows -> Bool {
  let deadline = System.seconds + Patience.seconds
  // Conditions may be questions to servers, which have other things to do than answer.
  var pause = 1
  while System.seconds < deadline {
    if try condition() { return true }
    System.sleep(milliseconds: pause)
    pause = min(50, pause + 1)
  }
  return try condition()
}

/// The same for tasks that wait for other tasks, which use the thread meanwhile.
///
/// Tests that block the threads of the concurrency hold up all tasks alike, for as long as they
/// take. So it also waits for a thousand turns of this task: after those, the others have had theirs.
package func comesTrueMeanwhile(_ condition: @Sendable () -> Bool) async throws -> Bool {
  let deadline = System.seconds + Patience.seconds
  var turns = 0
  while turns < 1000 || System.seconds < deadline {
    if condition() { return true }
    try await Task.sleep(for: .milliseconds(1))
    turns += 1
  }
  return condition()
}
