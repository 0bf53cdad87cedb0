import AacornPlayback
import AacornRecording
import AacornSystem

final class PlayerListener: Sendable {
  private let events = Lock<[PlayerEvent]>([])

  func take(_ event: PlayerEvent) { events.withLock { $0.append(event) } }

  /// The events as text, without positions and the device.
  var eventTexts: [String] {
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

  /// The items of the reported positions, and the item that had started last at each.
  var positions: [(index: Int, begun: Int?)] {
    var begun: Int?
    return events.withLock { $0 }.compactMap { event in
      if case .started(let item) = event { begun = item.index }
      if case .position(let position) = event { return (position.index, begun) }
      return nil
    }
  }

  /// Whether the end was reported, which must be the last event.
  var hasStopped: Bool { eventTexts.last == "stopped" }

  /// The fetched and the total bytes of items.
  var fetched: [[Int]] {
    events.withLock { $0 }.compactMap { event in
      if case .fetching(let index, let fetchedCount, let byteCount) = event {
        [index, fetchedCount, byteCount]
      } else {
        nil
      }
    }
  }

  var lost: [Duration] {
    events.withLock { $0 }.compactMap { event in
      if case .lost(_, let duration) = event { duration } else { nil }
    }
  }

  var missingFrameCount: Int {
    events.withLock { $0 }.reduce(0) { sum, event in
      if case .underrun(let count) = event { sum + count } else { sum }
    }
  }

  var failures: [String] {
    events.withLock { $0 }.compactMap { event in
      if case .unreadable(_, let error) = event { error.message } else { nil }
    }
  }

  var damage: [String] {
    events.withLock { $0 }.compactMap { event in
      if case .damaged(_, let message) = event { message } else { nil }
    }
  }

  var titles: [String] {
    events.withLock { $0 }.compactMap { event in
      if case .title(_, let title) = event { title } else { nil }
    }
  }
}
