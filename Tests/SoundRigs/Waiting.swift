import AacornSystem

/// Seconds in which a call comes back that waits for nothing, on a machine however busy.
///
/// It is meant for calls that would otherwise wait for something that never comes.
package let promptSeconds = 10.0

/// Waits until something comes true, for up to a minute; whether it did.
///
/// What is waited for is there at once or soon; the minute is for machines that are busy with
/// something else. Say in the expectation what was awaited.
package func comesTrue(_ condition: () throws -> Bool) rethrows -> Bool {
  let deadline = System.seconds + 60
  // Conditions may be questions to servers, which have other things to do than answer.
  var pause = 1
  while System.seconds < deadline {
    if try condition() { return true }
    System.sleep(milliseconds: pause)
    pause = min(50, pause + 1)
  }
  return try condition()
}
