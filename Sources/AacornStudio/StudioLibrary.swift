import AacornRecording
import AacornSystem
import AacornWeb

/// The folder with recordings: its contents, and the operations of pages.
///
/// All disk access runs on one thread, in sequence, so that operations of pages do not interfere.
/// Slow work, such as examining files, has a second thread, and repair a third.
final class StudioLibrary: Sendable {
  /// The library's limits and retention times.
  struct Limits: Sendable {
    /// The most uploads at a time.
    var uploadCount = 8
    /// Bytes on the disk that uploads leave free.
    var reservedByteCount = 100_000_000
    /// Nanoseconds of inactivity after which an upload counts as abandoned.
    var silence: Int64 = 600_000_000_000
    /// Milliseconds for which deleted recordings are kept.
    var keptMilliseconds: Int64 = 7 * 86_400_000
    /// Nanoseconds between checks of the folder while pages listen.
    var lookInterval: Int64 = 3_000_000_000
    /// Nanoseconds between checks for leftovers.
    var upkeepInterval: Int64 = 60_000_000_000
  }

  /// What the threads share; there is no disk access while it is locked.
  struct State {
    var catalog = LibraryCatalog()
    var waveforms = WaveformStore()
    /// Recordings being repaired.
    var repairing: Set<RecordingName> = []
    /// The revision last sent to pages.
    var toldRevision = 0
    var toldTime: Int64 = .min / 2
    /// When the folder was last read, and how long that took.
    var lookTime: Int64 = .min / 2
    var lookDuration: Int64 = 0
    /// The folder is being read.
    var isLooking = false
    /// A request waits for files to be examined.
    var isAwaited = false
  }

  /// Files on the disk other than recordings, locked during each operation on them; never locked
  /// while the state is locked.
  struct Shelf {
    var deleted: DeletedRecordings
    var uploads: UploadShelf
    var upkeepTime: Int64 = .min / 2
  }

  /// The folder as given.
  let folder: String
  let disk: LibraryFolder
  let limits: Limits
  let events: EventHub
  let state = Lock(State())
  let shelf: Lock<Shelf>
  /// Marks of the files in work, locked during each operation on them; never locked while the state is
  /// locked.
  let marks: Lock<WorkMarks>
  /// Accesses the disk.
  let desk = StudioWorker()
  /// Repairs.
  let workshop = StudioWorker()
  /// Examines files.
  let analyst = LibraryThread()
  /// Signaled when a file was examined and a request waits for that.
  let looked = Semaphore()
  /// Why the folder could not be created.
  let folderProblem: LibraryFailure?

  /// Opens the library of a folder, which is created if missing.
  init(folder: String, events: EventHub, limits: Limits = Limits()) {
    self.folder = folder
    self.events = events
    self.limits = limits
    let disk = LibraryFolder(path: folder)
    self.disk = disk
    shelf = Lock(
      Shelf(deleted: DeletedRecordings(disk), uploads: UploadShelf(disk, limits)))
    marks = Lock(WorkMarks(disk))
    var problem: LibraryFailure?
    do throws(NetworkError) {
      try StudioFolder.make(folder)
    } catch {
      problem = LibraryFailure(500, error.sentence)
    }
    folderProblem = problem
    desk.run { [weak self] in try? self?.look() }
    analyst.start { [weak self] in self?.background() ?? 1000 }
    events.whenSomebodyListens { [analyst] in analyst.wake() }
  }

  deinit { analyst.cancel() }

  /// Handles a request whose path is `api/…` or `recordings/…`; false if it is not about the
  /// library.
  ///
  /// It is called on the server's thread, so nothing here may wait.
  func handle(_ path: [String], _ request: HTTPRequest, _ responder: HTTPResponder) -> Bool {
    handle(path, request) { responder.respond($0) }
  }

  /// A name that is free for a new file with this suffix, such as `recording-20260301-123456.m4a`,
  /// or based on the wanted name.
  func newName(suffix: String, wish: String?) -> String {
    freeName(wish: wish, suffix: suffix).text
  }

  func freeName(wish: String?, suffix: String) -> RecordingName {
    let wished = wish.flatMap { RecordingName(wish: $0, suffix: suffix) }
    let timeName = Timestamp.recordingName(System.wallNanoseconds)
    let name = wished ?? RecordingName(wish: timeName, suffix: suffix)
    // Digits and letters form a valid name, whatever the suffix.
    guard let name else { return freeName(wish: nil, suffix: "m4a") }
    return disk.freeName(name) { isReserved($0) }
  }

  /// Whether a name is taken although there is no such file yet.
  func isReserved(_ name: RecordingName) -> Bool {
    isRecording(name) || shelf.withLock { $0.uploads.isReserved(name) }
  }

  /// Whether the studio's recorder is writing a file.
  func isRecording(_ name: RecordingName) -> Bool {
    state.withLock { $0.catalog.recording.contains(name) }
  }

  /// Notes that pages must request the list again.
  func noteChange() { state.withLock { $0.catalog.change() } }

  /// Records whether the recorder is writing a file, which cannot be renamed or deleted meanwhile.
  func setRecording(_ name: String, _ isRecording: Bool) {
    guard let name = RecordingName(name) else { return }
    state.withLock { $0.catalog.setRecording(name, isRecording) }
    desk.run { [self] in
      if !isRecording, let item = disk.item(name) {
        state.withLock { $0.catalog.setComplete(item) }
      }
      try? look()
    }
  }

  /// Ends ongoing work.
  func stop() {
    analyst.stop()
    workshop.stop()
    desk.stop()
  }
}
