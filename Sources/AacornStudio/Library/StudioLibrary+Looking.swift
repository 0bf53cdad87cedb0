import AacornContainers
import AacornRecording
import AacornSystem

extension StudioLibrary {
  /// Reads the folder; runs on the library's disk thread.
  func look() throws(LibraryFailure) {
    let start = System.nanoseconds
    defer {
      let end = System.nanoseconds
      state.withLock { state in
        state.lookTime = end
        state.lookDuration = end - start
        state.isLooking = false
      }
    }
    let contents: LibraryFolder.Contents
    do throws(LibraryFailure) {
      contents = try disk.contents()
    } catch {
      throw folderProblem ?? error
    }
    let isChanged = shelf.withLock { $0.deleted.look() }
    state.withLock { state in
      state.catalog.take(contents.items, now: start, wallTime: System.wallNanoseconds)
      state.catalog.setOthers(contents.others)
      if isChanged { state.catalog.change() }
    }
    tell()
    analyst.wake()
  }

  /// Notifies pages of a change, at most once per interval.
  func tell() {
    let now = System.nanoseconds
    let revision: Int? = state.withLock { state in
      // A notified page requests the complete list, so the interval grows with the time that a listing takes.
      let interval = max(Self.tellInterval, state.lookDuration * 20)
      guard state.catalog.revision != state.toldRevision, now - state.toldTime >= interval else {
        return nil
      }
      state.toldRevision = state.catalog.revision
      state.toldTime = now
      return state.toldRevision
    }
    guard let revision else { return }
    events.tell("library", JSONValue.object([.init("revision", .integer(revision))]).encoded)
  }

  private static var tellInterval: Int64 { 400_000_000 }

  // MARK: The analysis thread

  /// Does a part of the background work, and returns the number of milliseconds until the next part.
  func background() -> Int {
    tell()
    if let wish = state.withLock({ $0.waveforms.nextWish() }) {
      makeWaveform(of: wish)
      return 0
    }
    upkeep()
    if examineNext() { return 0 }
    let pause = lookAgain()
    return state.withLock { $0.catalog.revision != $0.toldRevision } ? 200 : pause
  }

  /// Reads the folder periodically while pages listen, and returns the number of milliseconds until the next
  /// read.
  private func lookAgain() -> Int {
    // A page that begins to listen wakes this thread.
    let upkeepPause = Int(max(1, min(limits.upkeepInterval, 60_000_000_000) / 1_000_000))
    guard events.listenerCount > 0 else { return upkeepPause }
    let now = System.nanoseconds
    let (isDue, rest) = state.withLock { state in
      // The interval grows with the time that reading the folder takes.
      let interval = max(limits.lookInterval, state.lookDuration * 30)
      let rest = interval - (now - min(state.lookTime, now))
      guard !state.isLooking, rest <= 0 else { return (false, rest) }
      state.isLooking = true
      return (true, interval)
    }
    if isDue { desk.run { [weak self] in try? self?.look() } }
    return min(upkeepPause, Int(max(100, rest / 1_000_000 + 1)))
  }

  /// Examines the newest unknown files; returns false if there are no such files.
  private func examineNext() -> Bool {
    let items = state.withLock {
      $0.catalog.unexamined(64, now: System.nanoseconds, wallTime: System.wallNanoseconds)
    }
    for item in items {
      if analyst.isStopping { return false }
      defer { noteLook() }
      guard let facts = facts(of: item) else { continue }
      state.withLock {
        $0.catalog.setFacts(
          facts, of: item, now: System.nanoseconds, wallTime: System.wallNanoseconds)
      }
      tell()
      // Requests for a waveform take priority over the remaining files.
      if state.withLock({ $0.waveforms.hasWishes }) { break }
    }
    return !items.isEmpty
  }

  /// Examines a file; nil if the studio is shutting down or the file has changed.
  private func facts(of item: LibraryFolder.Item) -> SoundFacts? {
    if isQuarantined(item) { return .quarantined }
    do throws(FileBytes.Failure) {
      let file = try open(disk.path(of: item.name))
      guard file.size == item.size, file.modified == item.modified else {
        noteChange(of: item.name)
        return nil
      }
      return try marking(item.name.text, item.version) { () throws(FileBytes.Failure) in
        var facts = try SoundExaminer(file).facts()
        facts.gapCount = max(facts.gapCount, sidecarGapCount(of: item.name))
        return facts
      }
    } catch {
      switch error {
      case .stopped: return nil
      case .system(.notFound):
        noteChange(of: item.name)
        return nil
      case .system(let error):
        var facts = SoundFacts.unreadable(
          LibraryFailure(cannot: "read", item.name.text, error).sentence)
        facts.isPassing = true
        return facts
      }
    }
  }

  /// Updates the entry of a file that has changed.
  private func noteChange(of name: RecordingName) {
    let item = disk.item(name)
    state.withLock {
      $0.catalog.update(
        name, to: item, now: System.nanoseconds, wallTime: System.wallNanoseconds)
    }
  }

  /// Opens a file for the analysis thread, which stops reading when the studio shuts down.
  func open(_ path: String) throws(FileBytes.Failure) -> FileBytes {
    do throws(SystemError) {
      return try FileBytes(path) { [analyst] in analyst.isStopping }
    } catch {
      throw .system(error)
    }
  }

  /// The number of gaps in the sidecar list of a recording.
  private func sidecarGapCount(of name: RecordingName) -> Int {
    guard let file = try? open(disk.sidecarPath(of: name)), file.size <= Self.sidecarLimit,
      let text = try? file.read(0, file.size)
    else { return 0 }
    return GapNote.lossCount(JSONArray.elements(of: text[...]).map { Array(text[$0]) })
  }

  /// The maximum size in bytes of a list of gaps to read.
  private static var sidecarLimit: Int { 16_000_000 }

  private func makeWaveform(of item: LibraryFolder.Item) {
    let waveform: WaveformStore.Waveform
    if isQuarantined(item) {
      let failure = LibraryFailure.quarantined(item.name)
      return state.withLock { $0.waveforms.keep(.failure(failure), of: item) }
    }
    do throws(FileBytes.Failure) {
      let file = try open(disk.path(of: item.name))
      // The next request will be for the new state of the file.
      guard file.size == item.size, file.modified == item.modified else { return }
      let levels = try marking(item.name.text, item.version) { () throws(FileBytes.Failure) in
        try WaveformReader(file).levels()
      }
      waveform =
        levels.map { .levels($0) }
        ?? .none(
          LibraryFailure(422, "“\(displayed(item.name.text))” contains no audio to display."))
    } catch {
      // No page requests a deleted file, and the file may be restored unchanged.
      guard case .system(let error) = error, error != .notFound else { return }
      waveform = .failure(LibraryFailure(cannot: "read", item.name.text, error))
    }
    state.withLock { $0.waveforms.keep(waveform, of: item) }
  }
}
