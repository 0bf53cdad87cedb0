import AacornContainers
import AacornRecording
import AacornSystem

extension StudioLibrary {
  /// Reads the folder; runs on the library's disk thread.
  func readFolder() throws(StudioError) {
    let start = System.nanoseconds
    defer {
      let end = System.nanoseconds
      state.withLock { state in
        state.folderReadTime = end
        state.folderReadDuration = end - start
        state.isReadingFolder = false
      }
    }
    let contents: LibraryFolder.Contents
    do throws(StudioError) {
      contents = try disk.contents()
    } catch {
      throw folderProblem ?? error
    }
    let isChanged = auxiliaryFiles.withLock { $0.deleted.refresh() }
    state.withLock { state in
      state.catalog.update(contents.items, now: start, wallTime: System.wallNanoseconds)
      state.catalog.setOthers(contents.others)
      if isChanged { state.catalog.change() }
    }
    notifyPages()
    analyst.wake()
  }

  /// Notifies pages of a change, at most once per interval.
  func notifyPages() {
    let now = System.nanoseconds
    let revision: Int? = state.withLock { state in
      // A notified page requests the complete list, so the interval grows with the time that a
      // listing takes.
      let interval = max(Self.notificationInterval, state.folderReadDuration * 20)
      guard state.catalog.revision != state.notifiedRevision, now - state.notifiedTime >= interval
      else {
        return nil
      }
      state.notifiedRevision = state.catalog.revision
      state.notifiedTime = now
      return state.notifiedRevision
    }
    guard let revision else { return }
    events.publish("library", (["revision": .integer(revision)] as JSONValue).encoded)
  }

  private static var notificationInterval: Int64 { 400_000_000 }

  // MARK: The analysis thread

  /// Does a part of the background work, and returns the number of milliseconds until the next
  /// part.
  func doBackgroundWork() -> Int {
    notifyPages()
    if let item = state.withLock({ $0.waveforms.nextRequest() }) {
      makeWaveform(of: item)
      return 0
    }
    performMaintenance()
    if examineNext() { return 0 }
    let pause = readFolderIfDue()
    return state.withLock { $0.catalog.revision != $0.notifiedRevision } ? 200 : pause
  }

  /// Reads the folder periodically while pages listen, and returns the number of milliseconds until
  /// the next read.
  private func readFolderIfDue() -> Int {
    // A page that begins to listen wakes this thread, so it can sleep for long without pages.
    let maintenancePause = Int(max(1, min(limits.maintenanceInterval, 60_000_000_000) / 1_000_000))
    guard events.listenerCount > 0 else { return maintenancePause }
    let now = System.nanoseconds
    let (isDue, rest) = state.withLock { state in
      // The interval grows with the time that reading the folder takes.
      let interval = max(limits.folderReadInterval, state.folderReadDuration * 30)
      let rest = interval - (now - min(state.folderReadTime, now))
      guard !state.isReadingFolder, rest <= 0 else { return (false, rest) }
      state.isReadingFolder = true
      return (true, interval)
    }
    if isDue { diskWorker.run { [weak self] in try? self?.readFolder() } }
    return min(maintenancePause, Int(max(100, rest / 1_000_000 + 1)))
  }

  /// Examines unknown files; returns false if there are no such files.
  private func examineNext() -> Bool {
    let items = state.withLock {
      $0.catalog.unexamined(64, now: System.nanoseconds, wallTime: System.wallNanoseconds)
    }
    for item in items {
      if analyst.isStopping { return false }
      defer { if state.withLock(\.isAwaited) { fileExamined.signal() } }
      guard let facts = facts(of: item) else { continue }
      state.withLock {
        $0.catalog.setFacts(
          facts, of: item, now: System.nanoseconds, wallTime: System.wallNanoseconds)
      }
      notifyPages()
      // Requests for a waveform take priority over the remaining files, and so do files that have
      // arrived while a long one was read.
      if item.isLong || state.withLock({ $0.waveforms.hasRequests }) { break }
    }
    return !items.isEmpty
  }

  /// Examines a file; nil if the studio is shutting down or the file has changed.
  private func facts(of item: LibraryFolder.Item) -> RecordingFacts? {
    if isQuarantined(item) { return .quarantined }
    do throws(SystemError) {
      let file = try open(disk.path(of: item.name))
      guard file.version == item.version else {
        updateEntry(of: item.name)
        return nil
      }
      return try marking(item.name.text, item.version) { () throws(SystemError) in
        var facts = try SoundExaminer(file).facts()
        facts.gapCount = max(facts.gapCount, sidecarGapCount(of: item.name))
        facts.original = RecordingVersion.original(of: disk.path(of: item.name))
        return facts
      }
    } catch {
      switch error {
      case .interrupted: return nil
      case .notFound:
        updateEntry(of: item.name)
        return nil
      default:
        var facts = RecordingFacts.unreadable(
          StudioError(cannot: "read", item.name.text, error).message)
        facts.mayBeTemporary = true
        return facts
      }
    }
  }

  /// Updates the entry of a file that has changed.
  private func updateEntry(of name: RecordingName) {
    let item = disk.item(name)
    state.withLock {
      $0.catalog.update(
        name, to: item, now: System.nanoseconds, wallTime: System.wallNanoseconds)
    }
  }

  /// Opens a file for the analysis thread, which stops reading when the studio shuts down.
  func open(_ path: String) throws(SystemError) -> FileBytes {
    try FileBytes(path) { [analyst] in analyst.isStopping }
  }

  /// The number of gaps in the sidecar list of a recording.
  private func sidecarGapCount(of name: RecordingName) -> Int {
    guard let file = try? open(disk.sidecarPath(of: name)), file.size <= Self.sidecarLimit,
      let text = try? file.read(0, file.size)
    else { return 0 }
    return GapRecord.lossCount(JSONReader.elements(of: text[...]).map { Array(text[$0]) })
  }

  /// The maximum size in bytes of a list of gaps to read.
  private static var sidecarLimit: Int { 16_000_000 }

  private func makeWaveform(of item: LibraryFolder.Item) {
    let waveform: WaveformStore.Waveform
    if isQuarantined(item) {
      let failure = StudioError.quarantined(item.name)
      return state.withLock { $0.waveforms.keep(.failure(failure), of: item) }
    }
    do throws(SystemError) {
      let file = try open(disk.path(of: item.name))
      // If the file has changed, compute nothing: the next request is for its new state.
      guard file.version == item.version else { return }
      let levels = try marking(item.name.text, item.version) { () throws(SystemError) in
        try WaveformReader(file).levels()
      }
      waveform =
        levels.map { .levels($0) }
        ?? .none(
          StudioError(422, "“\(displayed(item.name.text))” contains no audio to display."))
    } catch {
      // For a deleted file, store no failure: the file may be restored unchanged.
      if [.interrupted, .notFound].contains(error) { return }
      waveform = .failure(StudioError(cannot: "read", item.name.text, error))
    }
    state.withLock { $0.waveforms.keep(waveform, of: item) }
  }
}
