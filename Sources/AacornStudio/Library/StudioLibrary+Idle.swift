import AacornSystem

// Everything here runs on the desk's thread.
extension StudioLibrary {
  /// A recording that can be changed: it exists, and nobody is working on it.
  func idleItem(_ text: String) throws(LibraryFailure) -> LibraryFolder.Item {
    let name = try name(text)
    guard let item = disk.item(name) else { throw .noRecording(text) }
    if state.withLock({ $0.catalog.entries[name]?.item != item }) { try look() }
    func grows() -> Bool {
      state.withLock {
        $0.catalog.mayGrow(name, now: System.nanoseconds, wallTime: System.wallNanoseconds)
      }
    }
    // A new and complete file is finished.
    if grows() { waitForFacts() }
    let isGrowing = grows()
    let path = disk.path(of: name)
    // What looks at files has no place below the lock: a folder of a network may not answer.
    let writing =
      isGrowing || System.isTaken(path)
      ? Self.beingWritten(path) + "Try again in a few seconds." : nil
    let reason: String? = state.withLock { state in
      if state.catalog.recording.contains(name) {
        return "is being recorded. Stop the recording first."
      }
      if state.repairing.contains(name) { return "is being repaired. Wait until that is done." }
      return writing
    }
    if let reason { throw LibraryFailure(409, "“\(displayed(text))” \(reason)") }
    return item
  }

  /// The reason for refusing a file that was or may be growing.
  static func beingWritten(_ path: String) -> String {
    let writer = System.isTaken(path) ? System.lockOwner(of: path) : nil
    return "is being written by \(writer ?? "another program, or was a moment ago"). "
  }

  /// Waits a moment for unknown files to be examined, if they are few: an occasional request then
  /// gets the facts, and a folder of thousands is listed at once.
  func waitForFacts() {
    let deadline = System.nanoseconds + Self.moment
    analyst.wake()
    while !analyst.isStopping {
      let now = System.nanoseconds
      let count = state.withLock { state in
        let items = state.catalog.unexamined(
          Self.fewCount + 1, now: now, wallTime: System.wallNanoseconds)
        state.isAwaited = 1...Self.fewCount ~= items.count && now < deadline
        return state.isAwaited ? items.count : 0
      }
      if count == 0 { return }
      _ = looked.wait(milliseconds: Int((deadline - now) / 1_000_000) + 1)
    }
  }

  /// Nanoseconds for which an answer waits for files to be examined, and the most files it waits
  /// for.
  private static var moment: Int64 { 200_000_000 }
  private static var fewCount: Int { 16 }

  /// Tells waiting requests that a file was examined; on the second thread.
  func noteLook() {
    if state.withLock({ $0.isAwaited }) { looked.signal() }
  }
}
