import AacornRecording
import AacornSystem

/// Sends the recorder's state and meters to pages, on its own thread.
///
/// It sends the state after a change, at most ten times a second. It sends meter readings twenty times a second
/// while a device is open and a page is connected. Without an open device the thread sleeps until something
/// changes.
final class RecorderPulse: Sendable {
  private struct State {
    var isDirty = false
    var isStopping = false
    var active: ActiveRecording?
  }

  /// The state that only the thread uses; times in nanoseconds.
  private struct Rhythm {
    var toldTime: Int64 = .min / 2
    var tickTime: Int64 = 0
    var countTime: Int64 = 0
    /// The time since which no page has been connected.
    var lonelyTime: Int64?
  }

  /// The state that the thread shares with this object, without a reference to the object.
  private final class Desk: Sendable {
    let state = Lock(State())
    let wake = Semaphore()
    let ended = Semaphore()
    /// Locked while a state is sent, so that states are sent in order.
    let telling = Lock(())
  }

  private let desk = Desk()
  /// Nanoseconds for which a device that is only monitored stays open while no page is connected.
  private let patience: Int64

  /// Nanoseconds between states.
  private static let stateInterval: Int64 = 100_000_000
  /// Nanoseconds between meter readings.
  private static let tick: Int64 = 50_000_000
  /// Nanoseconds between checks for connected pages.
  private static let attention: Int64 = 250_000_000
  /// Nanoseconds between states while only the counters of outputs change.
  private static let countInterval: Int64 = 1_000_000_000

  /// Creates a broadcaster, which runs once it is started.
  init(patienceMilliseconds: Int = 10_000) { patience = Int64(patienceMilliseconds) * 1_000_000 }

  deinit { cancel() }

  /// Starts the thread.
  ///
  /// `abandoned` is called when no page has been connected for a while although a device is only
  /// monitored.
  func start(
    _ events: EventHub, _ board: RecorderBoard, abandoned: @escaping @Sendable () -> Void
  ) {
    let (desk, patience) = (desk, patience)
    desk.state.withLock { $0.isDirty = true }
    let isStarted = System.startThread {
      var rhythm = Rhythm()
      while true {
        let milliseconds = Self.turn(desk, &rhythm, events, board, patience, abandoned)
        if desk.state.withLock({ $0.isStopping }) { break }
        _ = desk.wake.wait(milliseconds: milliseconds)
      }
      Self.tell(desk, events, board)
      desk.ended.signal()
    }
    // Without a thread, pages still receive the state in responses.
    if !isStarted { desk.ended.signal() }
  }

  /// Records that the state has changed.
  func touch() {
    let isFirst = desk.state.withLock { state in
      defer { state.isDirty = true }
      return !state.isDirty
    }
    if isFirst { desk.wake.signal() }
  }

  /// Sends the state now if it has changed, so that pages receive it before the response to the request that
  /// changed it.
  func tell(_ events: EventHub, _ board: RecorderBoard) {
    Self.tell(desk, events, board)
  }

  private static func tell(_ desk: Desk, _ events: EventHub, _ board: RecorderBoard) {
    desk.telling.withLock { _ in
      let isDirty = desk.state.withLock { state in
        defer { state.isDirty = false }
        return state.isDirty
      }
      if isDirty { events.tell("state", board.json) }
    }
  }

  /// Sends the meters of `active` from now on, or none if it is nil.
  func follow(_ active: ActiveRecording?) {
    desk.state.withLock { $0.active = active }
    desk.wake.signal()
  }

  /// Sends the last state, and ends the thread.
  func stop() {
    cancel()
    _ = desk.ended.wait(milliseconds: 2000)
    desk.ended.signal()
  }

  private func cancel() {
    desk.state.withLock { state in
      state.isStopping = true
      state.active = nil
    }
    desk.wake.signal()
  }

  // MARK: - The thread

  /// Does the work that is due, and returns the number of milliseconds until more is due.
  private static func turn(
    _ desk: Desk, _ rhythm: inout Rhythm, _ events: EventHub, _ board: RecorderBoard,
    _ patience: Int64, _ abandoned: () -> Void
  ) -> Int {
    let now = System.nanoseconds
    var next = now + 3_600_000_000_000
    if let active = desk.state.withLock({ $0.active }) {
      if events.listenerCount > 0 {
        rhythm.lonelyTime = nil
        if now >= rhythm.tickTime {
          rhythm.tickTime = max(rhythm.tickTime + tick, now + tick / 2)
          let status = active.session.takeStatus()
          events.mention("meter", MeterEvent.json(active.monitor.reading(), status))
          board.take(status)
        }
        if now >= rhythm.countTime {
          rhythm.countTime = now + countInterval
          if !active.isListening { desk.state.withLock { $0.isDirty = true } }
        }
        next = rhythm.tickTime
      } else {
        active.monitor.pause()
        let since = rhythm.lonelyTime ?? now
        rhythm.lonelyTime = since
        if active.isListening && now - since > patience {
          rhythm.lonelyTime = now
          abandoned()
        }
        next = now + attention
      }
    } else {
      rhythm.lonelyTime = nil
    }
    return tell(desk, &rhythm, events, board, now, next)
  }

  /// Sends the state if it has changed; `next` is the time at which other work is due.
  private static func tell(
    _ desk: Desk, _ rhythm: inout Rhythm, _ events: EventHub, _ board: RecorderBoard, _ now: Int64,
    _ next: Int64
  ) -> Int {
    var next = next
    if desk.state.withLock({ $0.isDirty }) {
      if now - rhythm.toldTime >= stateInterval {
        rhythm.toldTime = now
        tell(desk, events, board)
      } else {
        next = min(next, rhythm.toldTime + stateInterval)
      }
    }
    return Int(max(1, (next - System.nanoseconds + 999_999) / 1_000_000))
  }
}
