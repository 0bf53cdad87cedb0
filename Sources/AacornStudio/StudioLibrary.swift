import AacornSystem
import AacornWeb

/// The folder with recordings: what is in it, and what pages do with it.
///
/// Whatever asks the disk runs on one thread, one thing after the other, so that what pages do does
/// not come between each other. What takes long, looking into files, has a second one, and repair
/// a third.
final class StudioLibrary: Sendable {
  /// How much the library allows, and how long it keeps things.
  struct Limits: Sendable {
    /// Uploads at a time.
    var uploadCount = 8
    /// Bytes on the disk that uploads leave for everything else.
    var reservedByteCount = 100_000_000
    /// Nanoseconds without news after which an upload counts as abandoned.
    var silence: Int64 = 600_000_000_000
    /// Milliseconds for which what was deleted is kept.
    var keptMilliseconds: Int64 = 7 * 86_400_000
    /// Nanoseconds between two looks at the folder while pages listen.
    var lookInterval: Int64 = 3_000_000_000
    /// Nanoseconds between two looks for what was left behind.
    var upkeepInterval: Int64 = 60_000_000_000
  }

  /// What the threads share; nobody asks the disk while it is locked.
  struct State {
    var catalog = LibraryCatalog()
    var waveforms = WaveformStore()
    /// Recordings that are being repaired.
    var repairing: Set<RecordingName> = []
    /// The revision that pages know.
    var toldRevision = 0
    var toldTime: Int64 = .min / 2
    /// When the folder was looked at last, and how long that took.
    var lookTime: Int64 = .min / 2
    var lookDuration: Int64 = 0
    /// A look is under way.
    var isLooking = false
    /// Somebody waits for files to be looked into.
    var isAwaited = false
  }

  /// What is on the disk besides recordings, and locked for as long as something is done to it;
  /// never locked by who has locked the state.
  struct Shelf {
    var deleted: DeletedRecordings
    var uploads: UploadShelf
    var upkeepTime: Int64 = .min / 2
  }

  /// The folder, as it was given.
  let folder: String
  let disk: LibraryFolder
  let limits: Limits
  let events: EventHub
  let state = Lock(State())
  let shelf: Lock<Shelf>
  /// Asks the disk.
  let desk = StudioWorker()
  /// Repairs.
  let workshop = StudioWorker()
  /// Looks into files.
  let analyst = LibraryThread()
  /// Signaled when a file was looked into and somebody waits for that.
  let looked = Semaphore()
  /// Why the folder could not be made.
  let folderProblem: LibraryFailure?

  /// The library of a folder, which is made if it is not there.
  init(folder: String, events: EventHub, limits: Limits = Limits()) {
    self.folder = folder
    self.events = events
    self.limits = limits
    let disk = LibraryFolder(path: folder)
    self.disk = disk
    shelf = Lock(
      Shelf(deleted: DeletedRecordings(disk), uploads: UploadShelf(disk, limits)))
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

  /// Deals with a request whose path is `api/…` or `recordings/…`; false if it is not about the
  /// library.
  ///
  /// Called on the server's thread, so nothing here may wait.
  func handle(_ path: [String], _ request: HTTPRequest, _ responder: HTTPResponder) -> Bool {
    handle(path, request) { responder.respond($0) }
  }

  /// The name of a new file of this suffix that is not there yet, such as
  /// `recording-20260301-123456.m4a`, or made from the wanted name.
  func newName(suffix: String, wish: String?) -> String {
    freeName(wish: wish, suffix: suffix).text
  }

  func freeName(wish: String?, suffix: String) -> RecordingName {
    let wished = wish.flatMap { RecordingName(wish: $0, suffix: suffix) }
    let name = wished ?? RecordingName(wish: Self.timeName, suffix: suffix)
    // Digits and letters make a name, whatever the suffix.
    guard let name else { return freeName(wish: nil, suffix: "m4a") }
    return disk.freeName(name) { isReserved($0) }
  }

  /// Whether somebody has a name already without there being a file.
  func isReserved(_ name: RecordingName) -> Bool {
    isRecording(name) || shelf.withLock { $0.uploads.isReserved(name) }
  }

  /// Whether the studio's recorder writes to a file.
  func isRecording(_ name: RecordingName) -> Bool {
    state.withLock { $0.catalog.recording.contains(name) }
  }

  /// Notes that pages have to ask for the list again.
  func noteChange() { state.withLock { $0.catalog.change() } }

  private static var timeName: String {
    let date = System.date(at: System.wallNanoseconds, isUniversal: false)
    func digits(_ number: Int) -> String { QuantityText.padded(number, to: 2) }
    return "recording-\(date.year)\(digits(date.month))\(digits(date.day))"
      + "-\(digits(date.hour))\(digits(date.minute))\(digits(date.second))"
  }

  /// A file is being written by the recorder, or is no longer: until then it can neither be renamed
  /// nor deleted.
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

  /// Ends work that is going on.
  func stop() {
    analyst.stop()
    workshop.stop()
    desk.stop()
  }
}
