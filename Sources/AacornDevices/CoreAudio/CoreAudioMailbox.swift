import AacornSystem

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
