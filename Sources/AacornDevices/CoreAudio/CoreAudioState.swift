import AacornSystem

/// The state that the controlling thread of a source or target shares with the program's threads.
final class CoreAudioState: DeviceRun {
  /// Nil: the user may take minutes to grant access.
  static let openTimeout: Int64? = nil
  // The system's audio service may hang.
  let endTimeout = 800

  let status = DeviceStatus()
  let gate = DeviceGate()
  /// Events for the controlling thread.
  let mailbox = CoreAudioMailbox()
  /// The name of the opened device, for errors.
  private let title: String

  init(_ title: String) {
    self.title = title
  }

  var timeoutError: DeviceError {
    .system(operation: "open", id: title, reason: "it was stopped before it started")
  }

  /// Requests the thread to end.
  func requestEnd() {
    mailbox.post(.stop)
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

/// The task of a ``CoreAudioControl``: the capture from a device, or the playback on a device.
///
/// All members are called on the controlling thread only.
protocol CoreAudioWork: AnyObject {
  /// Opens a unit without starting it; the events are sent before its first samples.
  ///
  /// `neededFrameCount` is the length of the longest block that did not fit.
  func open(
    _ route: CoreAudioRoute, neededFrameCount: Int, announcing events: [DeviceEvent]
  ) throws(DeviceError) -> any CoreAudioStream

  /// Sends the program an event while no unit is open.
  func report(_ event: DeviceEvent)
}
