import AacornSystem

/// The consecutive runs of a source or target, each on its own thread.
final class CoreAudioRuns: Sendable {
  /// The name of the opened device, for errors.
  private let title: String
  /// The state that the current or last run shares with its thread.
  private let run: Lock<(state: CoreAudioState, isRunning: Bool)>

  init(_ title: String) {
    self.title = title
    run = Lock((state: CoreAudioState(title), isRunning: false))
  }

  var state: CoreAudioState { run.withLock { $0.state } }

  /// Runs the work on a new thread, and waits until the device is open or cannot be opened.
  func start(
    _ work: @escaping @Sendable (CoreAudioState) -> Void
  ) throws(DeviceError) {
    let state = CoreAudioState(title)
    let isFirst = run.withLock { run in
      if run.isRunning { return false }
      run = (state, true)
      return true
    }
    guard isFirst else { throw .alreadyRunning(id: title) }
    let hasBegun = System.startThread { work(state) }
    do throws(DeviceError) {
      if !hasBegun { throw startError("the system has no threads left") }
      try state.waitForOpening()
    } catch {
      run.withLock { if $0.state === state { $0.isRunning = false } }
      throw error
    }
  }

  /// Ends the run, if there is one.
  func stop() {
    let state = run.withLock { run -> CoreAudioState? in
      guard run.isRunning else { return nil }
      run.isRunning = false
      return run.state
    }
    state?.stop()
  }

  private func startError(_ reason: String) -> DeviceError {
    .system(operation: "start", id: title, reason: reason)
  }
}

/// The task of a ``CoreAudioControl``: the capture from a device, or the playback on a device.
///
/// All members are called on the controlling thread only.
protocol CoreAudioWork: AnyObject {
  /// Whether the device may be used; nil if the user has not been prompted.
  var isPermitted: Bool? { get }

  /// The duration after which an interruption is a failure; nil means no limit.
  var maxInterruptionDuration: Duration? { get }

  /// Prompts the user; calls `answer` on any thread, perhaps minutes later.
  func requestPermission(_ answer: @escaping @Sendable (Bool) -> Void)

  /// Posts every event that concerns the device to `post`, until the result's `end` is called.
  func observe(_ post: @escaping @Sendable (CoreAudioEvent) -> Void) -> any CoreAudioObservation

  /// Prepares the system, again after every interruption.
  ///
  /// The returned diagnostics list rejected settings that are not essential.
  func activate() throws(DeviceError) -> [String]

  /// Undoes `activate`.
  func deactivate()

  /// Returns the current audio route.
  func route() throws(DeviceError) -> CoreAudioRoute

  /// Opens a unit without starting it; the events are sent before its first samples.
  ///
  /// `neededFrameCount` is the length of the longest block that did not fit.
  func open(
    _ route: CoreAudioRoute, neededFrameCount: Int, announcing events: [DeviceEvent]
  ) throws(DeviceError) -> any CoreAudioStream

  /// Sends the program an event while no unit is open.
  func report(_ event: DeviceEvent)
}

/// The state shared by the controlling thread and the program's threads.
final class CoreAudioState: Sendable {
  private struct Content {
    var device: Device?
    var failure: DeviceError?
    var diagnostics: [String] = []
    var opening: Result<Void, DeviceError>?
    var isFinished = false
  }

  /// Events for the controlling thread.
  let mailbox = CoreAudioMailbox()
  /// Whether samples may flow.
  let gate = CoreAudioGate()
  /// The name of the opened device, for errors.
  private let title: String
  private let content = Lock(Content())
  private let opened = Semaphore()
  private let finished = Semaphore()

  init(_ title: String) {
    self.title = title
  }

  var device: Device? { content.withLock { $0.device } }
  var failure: DeviceError? { content.withLock { $0.failure } }
  var diagnostics: [String] { content.withLock { $0.diagnostics } }

  // MARK: On the controlling thread

  /// Records the device in use, and its diagnostics.
  func use(_ device: Device, _ diagnostics: [String]) {
    content.withLock {
      $0.device = device
      $0.diagnostics = diagnostics
    }
  }

  /// Records another diagnostic, kept until the next device is opened.
  func addDiagnostic(_ text: String) {
    content.withLock { if !$0.diagnostics.contains(text) { $0.diagnostics.append(text) } }
  }

  /// Records the error that ends the run.
  func fail(_ error: DeviceError) {
    content.withLock { $0.failure = error }
  }

  /// Reports the result of the first opening.
  func finishOpening(_ result: Result<Void, DeviceError>) {
    content.withLock { if $0.opening == nil { $0.opening = result } }
    opened.signal()
  }

  /// Reports that the controlling thread has finished.
  func finish() {
    finishOpening(.failure(stopped))
    content.withLock { $0.isFinished = true }
    finished.signal()
  }

  // MARK: On the program's threads

  /// Waits until the device is open, cannot be opened or is stopped.
  func waitForOpening() throws(DeviceError) {
    while true {
      if let result = content.withLock({ $0.opening }) { return try result.get() }
      if !gate.isOpen { throw stopped }
      _ = opened.wait(milliseconds: 100)
    }
  }

  /// Makes the controlling thread reopen the device, whatever made it unavailable.
  func resume() {
    mailbox.post(.resume)
  }

  /// Ends the controlling thread and waits for it, for at most 800 ms: the system's audio service
  /// may hang.
  func stop() {
    mailbox.post(.stop)
    for _ in 0..<8 where !content.withLock({ $0.isFinished }) {
      _ = finished.wait(milliseconds: 100)
    }
    gate.close()
  }

  private var stopped: DeviceError {
    .system(operation: "open", id: title, reason: "it was stopped before it started")
  }
}

/// Hands events from any thread to the controlling thread of a source or target.
final class CoreAudioMailbox: Sendable {
  private let events = Lock<[CoreAudioEvent]>([])
  private let semaphore = Semaphore()

  /// The reason why a wait ended.
  enum Wake: Equatable {
    case event(CoreAudioEvent)
    /// A request for a check, without an event.
    case woken
    /// No event arrived in time.
    case timeout
  }

  /// Posts an event.
  func post(_ event: CoreAudioEvent) {
    events.withLock { $0.append(event) }
    semaphore.signal()
  }

  /// Ends a wait without an event; for the audio thread, which must not use a lock.
  func wake() {
    semaphore.signal()
  }

  /// Waits for the next event, for at most this many milliseconds.
  ///
  /// A stop request is returned before all other events.
  func next(milliseconds: Int) -> Wake {
    if let event = take() { return .event(event) }
    let isWoken = semaphore.wait(milliseconds: milliseconds)
    if let event = take() { return .event(event) }
    return isWoken ? .woken : .timeout
  }

  private func take() -> CoreAudioEvent? {
    events.withLock { events in
      if events.contains(.stop) { return .stop }
      return events.isEmpty ? nil : events.removeFirst()
    }
  }
}
