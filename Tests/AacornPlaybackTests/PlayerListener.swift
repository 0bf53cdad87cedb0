import AacornPlayback
import AacornRecording
import AacornSystem

/// What a test keeps of a playback.
final class PlayerListener: Sendable {
  private let events = Lock<[PlayerEvent]>([])

  /// Keeps an event.
  func take(_ event: PlayerEvent) { events.withLock { $0.append(event) } }

  /// What happened, without positions and the device.
  var story: [String] {
    events.withLock { $0 }.compactMap { event in
      switch event {
      case .started(let item): "started \(item.index)"
      case .ended(let index): "ended \(index)"
      case .unreadable(let index, _): "unreadable \(index)"
      case .damaged(let index, _): "damaged \(index)"
      case .paused(let isPaused): isPaused ? "paused" : "continued"
      case .deviceLost: "lost"
      case .deviceReturned: "returned"
      case .deviceChanged: "changed"
      case .suspended: "suspended"
      case .resumed: "resumed"
      case .stopped: "stopped"
      case .unseekable(let index): "unseekable \(index)"
      case .opened, .position, .title, .fetching, .lost, .underrun: nil
      }
    }
  }

  /// The items of the positions that were told, and those that had begun last by then.
  var positions: [(index: Int, begun: Int?)] {
    var begun: Int?
    return events.withLock { $0 }.compactMap { event in
      if case .started(let item) = event { begun = item.index }
      if case .position(let position) = event { return (position.index, begun) }
      return nil
    }
  }

  /// Whether the end was told, after which nothing is.
  var hasStopped: Bool { story.last == "stopped" }

  /// How many bytes of items had been fetched, of how many.
  var fetched: [[Int]] {
    events.withLock { $0 }.compactMap { event in
      if case .fetching(let index, let fetchedCount, let byteCount) = event {
        [index, fetchedCount, byteCount]
      } else {
        nil
      }
    }
  }

  /// How long the parts of broadcasts were that were lost.
  var lost: [Duration] {
    events.withLock { $0 }.compactMap { event in
      if case .lost(_, let duration) = event { duration } else { nil }
    }
  }

  /// Why items could not be read, as sentences.
  var failures: [String] {
    events.withLock { $0 }.compactMap { event in
      if case .unreadable(_, let error) = event { error.sentence } else { nil }
    }
  }

  /// What is wrong with items that were played, as sentences.
  var damage: [String] {
    events.withLock { $0 }.compactMap { event in
      if case .damaged(_, let sentence) = event { sentence } else { nil }
    }
  }

  /// What broadcasts have said of themselves.
  var titles: [String] {
    events.withLock { $0 }.compactMap { event in
      if case .title(_, let title) = event { title } else { nil }
    }
  }
}
