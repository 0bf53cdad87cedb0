import AacornSystem

// All methods here run on the library's disk thread.
extension StudioLibrary {
  /// Returns a recording that can be changed: it exists, and no program or task is using it.
  func idleItem(_ text: String) throws(LibraryFailure) -> LibraryFolder.Item {
    let name = try name(text)
    guard let item = disk.item(name) else { throw .noRecording(text) }
    if state.withLock({ $0.catalog.entries[name]?.item != item }) { try readFolder() }
    func grows() -> Bool {
      state.withLock {
        $0.catalog.mayGrow(name, now: System.nanoseconds, wallTime: System.wallNanoseconds)
      }
    }
    // Examination may show that a new file is already complete.
    if grows() { waitForFacts() }
    let isGrowing = grows()
    let path = disk.path(of: name)
    // Call the file system outside the lock: a network folder may not respond.
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

  /// Returns the reason for rejecting a request for a file that another program may be writing.
  static func beingWritten(_ path: String) -> String {
    let writer = System.isTaken(path) ? System.lockOwner(of: path) : nil
    return "is being written by \(writer ?? "another program, or was a moment ago"). "
  }

  /// Waits briefly while a few unknown files are examined, so that a single new file is listed with
  /// its properties.
  ///
  /// A folder with thousands of unknown files is listed immediately.
  func waitForFacts() {
    let deadline = System.nanoseconds + Self.moment
    analyst.wake()
    while !analyst.isStopping {
      let now = System.nanoseconds
      let count = state.withLock { state in
        let items = state.catalog.unexamined(
          Self.maxCountPerPass + 1, now: now, wallTime: System.wallNanoseconds)
        state.isAwaited = 1...Self.maxCountPerPass ~= items.count && now < deadline
        return state.isAwaited ? items.count : 0
      }
      if count == 0 { return }
      _ = fileExamined.wait(milliseconds: Int((deadline - now) / 1_000_000) + 1)
    }
  }

  /// The maximum wait for examined files in nanoseconds, and the maximum number of files to wait
  /// for.
  private static var moment: Int64 { 200_000_000 }
  private static var maxCountPerPass: Int { 16 }

  /// Notifies a waiting request that a file was examined; runs on the analysis thread.
  func notifyExamined() {
    if state.withLock({ $0.isAwaited }) { fileExamined.signal() }
  }
}
