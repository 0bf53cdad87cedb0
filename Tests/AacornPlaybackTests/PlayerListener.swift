import AacornPlayback
import AacornRecording
import AacornSystem

final class PlayerListener: Sendable {
  private let events = Lock<[PlayerEvent]>([])

  func take(_ event: PlayerEvent) { events.withLock { $0.append(event) } }

  private func values<Value>(_ select: (PlayerEvent) -> Value?) -> [Value] {
    events.withLock { $0 }.compactMap(select)
  }

  /// The events as text, without positions and the device.
  var eventTexts: [String] {
    values { event in
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
    values {
      if case .fetching(let index, let count, let all) = $0 { [index, count, all] } else { nil }
    }
  }

  var lost: [Duration] {
    values { if case .lost(_, let duration) = $0 { duration } else { nil } }
  }

  var missingFrameCount: Int {
    values { if case .underrun(let count) = $0 { count } else { nil } }.reduce(0, +)
  }

  var failures: [String] {
    values { if case .unreadable(_, let error) = $0 { error.message } else { nil } }
  }

  var damage: [String] {
    values { if case .damaged(_, let message) = $0 { message } else { nil } }
  }

  var titles: [String] {
    values { if case .title(_, let title) = $0 { title } else { nil } }
  }
}
