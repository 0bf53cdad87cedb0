import AacornSystem

/// Hands events from any thread to the one that controls a source.
final class CoreAudioMailbox: Sendable {
  private let events = Lock<[CoreAudioEvent]>([])
  private let wake = Semaphore()

  /// What ended a wait.
  enum Wake: Equatable {
    case event(CoreAudioEvent)
    /// Somebody wants a look at what has no event.
    case poke
    /// Nothing came.
    case timeout
  }

  /// Leaves an event.
  func post(_ event: CoreAudioEvent) {
    events.withLock { $0.append(event) }
    wake.signal()
  }

  /// Ends a wait without an event; for the audio thread, which must not take a lock.
  func poke() {
    wake.signal()
  }

  /// Waits for the next event, at most so many milliseconds.
  ///
  /// A wish to stop comes before all else.
  func next(milliseconds: Int) -> Wake {
    if let event = take() { return .event(event) }
    let isWoken = wake.wait(milliseconds: milliseconds)
    if let event = take() { return .event(event) }
    return isWoken ? .poke : .timeout
  }

  private func take() -> CoreAudioEvent? {
    events.withLock { events in
      if events.contains(.stop) { return .stop }
      return events.isEmpty ? nil : events.removeFirst()
    }
  }
}
