import AacornNetwork
import AacornRecording
import AacornSystem

/// The library of recordings: the contents of the folder, and the operations of pages.
///
/// Disk access for requests runs on one thread, in sequence, so that operations of pages do not
/// interfere. Slow work, such as examining files, has a second thread, and repair has a third.
final class StudioLibrary: Sendable {
  /// The library's limits and retention times.
  struct Limits: Sendable {
    /// The maximum number of simultaneous uploads.
    var uploadCount = 8
    /// The number of bytes on the disk that uploads leave free.
    var reservedByteCount = 100_000_000
    /// Nanoseconds of inactivity after which an upload counts as abandoned.
    var silence: Int64 = 600_000_000_000
    /// The time in milliseconds for which deleted recordings are kept.
    var keptMilliseconds: Int64 = 7 * 86_400_000
    /// Nanoseconds between checks of the folder while pages listen.
    var folderReadInterval: Int64 = 3_000_000_000
    /// Nanoseconds between searches for abandoned uploads and expired deleted recordings.
    var maintenanceInterval: Int64 = 60_000_000_000
    /// The maximum time in nanoseconds for the work in progress when the library stops.
    var stopTime: Int64 = 60_000_000_000
  }

  /// The state that the threads share; no disk access is allowed while it is locked.
  struct State {
    var catalog = LibraryCatalog()
    var waveforms = WaveformStore()
    /// The recordings that are being repaired.
    var repairing: Set<RecordingName> = []
    /// The last revision sent to pages.
    var notifiedRevision = 0
    var notifiedTime: Int64 = .min / 2
    /// The time at which the folder was last read, and the duration of reading it.
    var folderReadTime: Int64 = .min / 2
    var folderReadDuration: Int64 = 0
    /// Whether the folder is being read, or a read is queued.
    var isReadingFolder = false
    /// Whether a request waits for files to be examined.
    var isAwaited = false
  }

  /// The deleted recordings and uploads on the disk, locked during each operation on them; never
  /// locked while the state is locked.
  struct AuxiliaryFiles {
    var deleted: DeletedRecordings
    var uploads: UploadStore
    var maintenanceTime: Int64 = .min / 2
  }

  let disk: LibraryFolder
  let limits: Limits
  let events: EventHub
  let state = Lock(State())
  let auxiliaryFiles: Lock<AuxiliaryFiles>
  /// The marks of files in use, locked during each operation on them; never locked while the state
  /// is locked.
  let marks: Lock<WorkMarks>
  /// The work on the disk for requests, in order.
  let diskWorker = SerialWork("library disk")
  /// Repairs, one after the other.
  let repairWorker = SerialWork("repair")
  /// The analysis thread, which examines files.
  let analyst = Ticker("analysis")
  /// Signaled when a file was examined while a request waits for it.
  let fileExamined = Semaphore()
  /// The reason why the folder could not be created; nil if it could.
  let folderProblem: StudioError?

  /// Opens the library of a folder, which is created if missing.
  init(folder: String, events: EventHub, limits: Limits = Limits()) {
    self.events = events
    self.limits = limits
    var problem: StudioError?
    do throws(NetworkError) {
      try LibraryFolder.make(folder)
    } catch {
      problem = StudioError(500, error.message)
    }
    folderProblem = problem
    let disk = LibraryFolder(path: folder)
    self.disk = disk
    auxiliaryFiles = Lock(
      AuxiliaryFiles(deleted: DeletedRecordings(disk), uploads: UploadStore(disk, limits)))
    marks = Lock(WorkMarks(disk))
    diskWorker.run { [weak self] in try? self?.readFolder() }
    analyst.start(with: ()) { [weak self] _ in self?.doBackgroundWork() ?? 1000 }
    events.onFirstListener { [analyst] in analyst.wake() }
  }

  deinit { analyst.cancel() }

  /// Returns a free name for a new file with this suffix, based on the requested name or else on
  /// the current time, such as `recording-20260301-123456.m4a`.
  func freeName(requestedName: String?, suffix: String) -> RecordingName {
    let validName = requestedName.flatMap { RecordingName(requestedName: $0, suffix: suffix) }
    let timeName = Timestamp.recordingName(System.wallNanoseconds)
    let name = validName ?? RecordingName(requestedName: timeName, suffix: suffix)
    // The time consists of digits and letters, so only the suffix can be invalid.
    guard let name else { return freeName(requestedName: nil, suffix: "m4a") }
    return disk.freeName(name) { isReserved($0) }
  }

  /// Whether a name is reserved although there is no such file yet.
  func isReserved(_ name: RecordingName) -> Bool {
    isRecording(name) || auxiliaryFiles.withLock { $0.uploads.isReserved(name) }
  }

  /// Whether the studio's recorder is writing a file.
  func isRecording(_ name: RecordingName) -> Bool {
    state.withLock { $0.catalog.recording.contains(name) }
  }

  /// Makes pages request the list again.
  func recordChange() { state.withLock { $0.catalog.change() } }

  /// Records whether the recorder is writing a file, which cannot be renamed or deleted during that
  /// time.
  func setRecording(_ name: String, _ isRecording: Bool) {
    guard let name = RecordingName(name) else { return }
    state.withLock { $0.catalog.setRecording(name, isRecording) }
    diskWorker.run { [self] in
      if !isRecording, let item = disk.item(name) {
        state.withLock { $0.catalog.setComplete(item) }
      }
      try? readFolder()
    }
  }

  /// Ends ongoing work and the threads.
  ///
  /// Returns false if the folder does not respond, such as one on a network; the work is abandoned
  /// then.
  @discardableResult
  func stop() -> Bool {
    let deadline = System.nanoseconds + limits.stopTime
    var rest: Int { max(0, Int((deadline - System.nanoseconds + 999_999) / 1_000_000)) }
    let hasEnded = [
      analyst.stop(milliseconds: rest), repairWorker.stop(milliseconds: rest),
      diskWorker.stop(milliseconds: rest),
    ]
    return hasEnded.allSatisfy(\.self)
  }
}

// All methods here run on the library's disk thread.
extension StudioLibrary {
  /// Returns a recording that can be changed: it exists, and no program or task is using it.
  func idleItem(_ text: String) throws(StudioError) -> LibraryFolder.Item {
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
    if let reason { throw StudioError(409, "“\(displayed(text))” \(reason)") }
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
}
