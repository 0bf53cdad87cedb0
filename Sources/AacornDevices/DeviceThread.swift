import AacornSystem

/// The state that a thread which watches devices shares with the threads that start and stop it.
protocol ListWatchRun: AnyObject, Sendable {
  /// The maximum time for the thread to end, in milliseconds.
  var endTimeout: Int { get }

  /// Requests the thread to end, from any thread.
  func requestEnd()
}

/// The state that the thread of a device shares with the threads that start and stop it.
protocol DeviceRun: ListWatchRun {
  /// The maximum time to open a device, in nanoseconds; nil means no limit.
  static var openTimeout: Int64? { get }
  /// The error if the device is not open after `openTimeout`, or when the run ends first.
  var timeoutError: DeviceError { get }
  /// The status that the thread reports.
  var status: DeviceStatus { get }
  /// The gate to the sink or the feed.
  var gate: DeviceGate { get }
}

/// A source or target that uses its device on its own threads.
protocol ThreadedDevice: AnyObject {
  /// The state that a thread shares with the source or target.
  associatedtype Run: DeviceRun

  /// The threads, which end when the source or target is released.
  var thread: DeviceThread<Run> { get }
}

extension ThreadedDevice {
  /// The device in use, or the last one.
  public var device: Device? { thread.status?.device }

  /// The error that ended the run; nil while the source or target waits for a missing device.
  public var failure: DeviceError? { thread.status?.failure }

  /// Diagnostics about the device and the thread, such as a missing real-time priority.
  public var diagnostics: [String] { thread.status?.diagnostics ?? [] }

  /// Ends the run, after a source has delivered all samples captured until now.
  ///
  /// If the library hangs, it returns without them: within a second, or half a second after a
  /// longer period of an ALSA device.
  public func stop() { thread.stop() }
}

/// The consecutive threads of a source or target, one for each run.
///
/// It ends the last one when it is released. A thread opens the device and keeps it open. All calls
/// of a sound library are made on this thread, because any of them may hang: `stop` abandons a
/// hanging thread and closes its gate.
final class DeviceThread<Run: DeviceRun>: Sendable {
  private struct State {
    /// The current run, from `start` to `stop`.
    var current: (run: Run, thread: WorkerThread)?
    /// The status of the current or last run.
    var status: DeviceStatus?
  }

  private let state = Lock(State())

  deinit {
    stop()
  }

  /// The current run, from `start` to `stop`.
  var run: Run? { state.withLock { $0.current?.run } }

  /// The status of the current or last run; nil before the first run.
  var status: DeviceStatus? { state.withLock { $0.status } }

  /// Runs the work on a new thread, and returns when the thread has opened its device.
  ///
  /// Throws the error if the device cannot be opened, or `alreadyRunning` or `noThread` with this
  /// id.
  func start(
    _ id: String, _ run: Run, _ work: @escaping @Sendable (Run) -> Void
  ) throws(DeviceError) {
    run.status.device = status?.device
    let startError = state.withLock { state -> DeviceError? in
      guard state.current == nil else { return .alreadyRunning(id: id) }
      guard let thread = WorkerThread("device", { work(run) }) else { return .noThread(for: id) }
      state.current = (run, thread)
      state.status = run.status
      return nil
    }
    if let startError { throw startError }
    let deadline = Run.openTimeout.map { System.nanoseconds + $0 } ?? .max
    if let error = run.status.awaitOpening(until: deadline, timeoutError: run.timeoutError) {
      end(only: run)
      throw error
    }
  }

  /// Ends the thread; a second call has no effect.
  func stop() { end(only: nil) }

  /// Ends the current run, or with `run` only that one: another may have started since.
  private func end(only run: Run?) {
    let current = state.withLock { state -> (run: Run, thread: WorkerThread)? in
      if let run, state.current?.run !== run { return nil }
      defer { state.current = nil }
      return state.current
    }
    guard let (run, thread) = current else { return }
    run.requestEnd()
    // A thread that hangs in a call is abandoned.
    thread.join(milliseconds: run.endTimeout)
    run.gate.close()
    run.status.finishOpening(run.timeoutError)
  }
}

extension DeviceError {
  /// The error if the system cannot create a thread for an operation on a device.
  package static func noThread(
    to operation: String = "start the thread for", for id: String = ""
  ) -> DeviceError {
    .system(operation: operation, id: id, reason: "the system has no threads left")
  }
}

#if os(Linux)
/// A thread that reports changes of the list of devices until this object is released.
final class DeviceListWatch<Run: ListWatchRun>: Sendable {
  private let run: Run
  private let thread: WorkerThread

  /// Runs the work on a new thread; nil if the system cannot create one.
  init?(_ run: Run, _ work: @escaping @Sendable (Run) -> Void) {
    self.run = run
    guard let thread = WorkerThread("device list", { work(run) }) else { return nil }
    self.thread = thread
  }

  deinit {
    run.requestEnd()
    // The work may have released this object on the thread itself, which is then only detached.
    thread.join(milliseconds: run.endTimeout)
  }
}

extension FolderWatch: ListWatchRun {
  var endTimeout: Int { 900 }

  func requestEnd() { end() }
}

/// The state of a thread that watches the devices of a sound server, and waits for the server.
final class ServerWatch<Server: ListWatchRun>: ListWatchRun {
  /// The loop or the worker that uses the server.
  let server: Server
  private let folders: FolderWatch

  /// Milliseconds between attempts to connect if the socket does not change: the server can be on
  /// another computer, or in a folder that only its library knows.
  private static var longPause: Int { 30_000 }
  /// Milliseconds until the next attempt if the server has just ended or created its socket: it may
  /// not listen yet.
  private static var shortPause: Int { 1000 }

  /// Creates the state for a server with a socket in one of the folders; nil if the system has no
  /// descriptors left.
  init?(_ server: Server, socketFolders: [String]) {
    guard let folders = FolderWatch(socketFolders) else { return nil }
    (self.server, self.folders) = (server, folders)
  }

  var endTimeout: Int { server.endTimeout }

  func requestEnd() {
    server.requestEnd()
    folders.end()
  }

  /// Calls `watch` until the end is requested: again after a pause, or when the folders change.
  ///
  /// It returns whether it was connected to the server.
  func run(_ watch: () -> Bool) {
    var hasChanged = false
    while !folders.isEnding {
      let wasConnected = watch()
      hasChanged = folders.wait(
        milliseconds: wasConnected || hasChanged ? Self.shortPause : Self.longPause)
    }
  }
}
#endif

/// The status of a source's or target's thread, which the thread reports to its owner.
final class DeviceStatus: Sendable {
  private struct State {
    var device: Device?
    var failure: DeviceError?
    var diagnostics: [String] = []
    var xrunCount = 0
    var opening: DeviceError??
  }

  private let state = Lock(State())
  private let opened = Semaphore()

  /// The device in use, or the last one.
  var device: Device? {
    get { state.withLock { $0.device } }
    set { state.withLock { $0.device = newValue } }
  }

  /// The error that ended the run, if there was one.
  var failure: DeviceError? {
    get { state.withLock { $0.failure } }
    set { state.withLock { $0.failure = newValue } }
  }

  /// Diagnostics about the device and the thread.
  var diagnostics: [String] {
    get { state.withLock { $0.diagnostics } }
    set { state.withLock { $0.diagnostics = newValue } }
  }

  /// The number of times that the device has stopped because the thread was late.
  var xrunCount: Int { state.withLock { $0.xrunCount } }

  /// Adds a diagnostic unless it is already present.
  func addDiagnostic(_ message: String?) {
    guard let message else { return }
    state.withLock {
      if !$0.diagnostics.contains(message) { $0.diagnostics.append(message) }
    }
  }

  /// Counts a stop of the device because the thread was late.
  func countXrun() {
    state.withLock { $0.xrunCount += 1 }
  }

  /// Reports that the device is open, or could not be opened; only the first report counts.
  func finishOpening(_ error: DeviceError?) {
    state.withLock { if $0.opening == nil { $0.opening = .some(error) } }
    opened.signal()
  }

  /// Waits until the device is open or opening has failed; returns the error, or nil on success.
  func awaitOpening(until deadline: Int64, timeoutError: DeviceError) -> DeviceError? {
    while true {
      if let result = state.withLock({ $0.opening }) { return result }
      guard opened.wait(until: deadline) else { return timeoutError }
    }
  }
}

#if os(Linux)
/// An object that a C library's callbacks use by its address.
protocol CallbackTarget: AnyObject {}

extension CallbackTarget {
  /// The object's address, which does not retain the object.
  var pointer: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

  /// Returns the object at an address.
  @inline(__always)
  static func at(_ pointer: UnsafeMutableRawPointer?) -> Self? {
    guard let pointer = unsafe pointer else { return nil }
    return unsafe Unmanaged<Self>.fromOpaque(pointer).takeUnretainedValue()
  }
}
#endif

extension Semaphore {
  /// Waits for a signal until a time of the monotonic clock; returns false on timeout.
  ///
  /// It waits repeatedly, because some C libraries wait by the wall clock, which may be set during
  /// the wait.
  func wait(until deadline: Int64) -> Bool {
    while true {
      let rest = deadline - System.nanoseconds
      if wait(milliseconds: Int(clamping: max(0, rest) / 1_000_000)) { return true }
      if rest <= 0 { return false }
    }
  }
}
