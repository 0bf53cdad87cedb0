import AacornContainers
import AacornRecording
import AacornStreaming
import AacornSystem

/// Sends the recorder's state and meters to pages, on its own thread.
///
/// It sends the state after a change, at most ten times a second. It sends meter readings twenty
/// times a second while a device is open and a page is connected. Without an open device the thread
/// sleeps until something changes.
final class RecorderBroadcaster: Sendable {
  private struct State {
    var isDirty = true
    var active: ActiveRecording?
  }

  /// The state that only the thread uses; times in nanoseconds.
  private struct Schedule: Sendable {
    var sendTime: Int64 = .min / 2
    var tickTime: Int64 = 0
    var countTime: Int64 = 0
    /// The time since which no page has been connected.
    var unwatchedSince: Int64?
  }

  private let state = Lock(State())
  /// Locked while a state is sent, so that states are sent in order.
  private let sendLock = Lock(())
  private let ticker = Ticker("recorder state")
  /// Nanoseconds for which a device that is only monitored stays open while no page is connected.
  private let abandonTimeout: Int64

  /// Nanoseconds between states.
  private static let stateInterval: Int64 = 100_000_000
  /// Nanoseconds between meter readings.
  private static let tick: Int64 = 50_000_000
  /// Nanoseconds between checks for connected pages.
  private static let listenerCheckInterval: Int64 = 250_000_000
  /// Nanoseconds between states while only the counters of outputs change.
  private static let countInterval: Int64 = 1_000_000_000

  /// Creates a broadcaster, which runs once it is started.
  init(abandonTimeoutMilliseconds: Int = 10_000) {
    abandonTimeout = Int64(abandonTimeoutMilliseconds) * 1_000_000
  }

  /// Starts the thread, which runs until `stop`.
  ///
  /// `abandoned` is called when a device is only monitored and no page has been connected for a
  /// while.
  func start(
    _ events: EventHub, _ statusStore: RecorderStatusStore,
    abandoned: @escaping @Sendable () -> Void
  ) {
    // Without a thread, pages receive the state only in responses.
    ticker.start(with: Schedule()) { [self] schedule in
      runDueWork(&schedule, events, statusStore, abandoned)
    } atEnd: { [self] in
      publishState(events, statusStore)
    }
  }

  /// Records that the state has changed.
  func markChanged() {
    let isFirst = state.withLock { state in
      defer { state.isDirty = true }
      return !state.isDirty
    }
    if isFirst { ticker.wake() }
  }

  /// Sends the state now if it has changed, so that pages receive it before the response to the
  /// request that changed it.
  func publishState(_ events: EventHub, _ statusStore: RecorderStatusStore) {
    sendLock.withLock { _ in
      let isDirty = state.withLock { state in
        defer { state.isDirty = false }
        return state.isDirty
      }
      if isDirty { events.publish("state", statusStore.json) }
    }
  }

  /// Sends the meters of `active` from now on, or none if it is nil.
  func setRecording(_ active: ActiveRecording?) {
    state.withLock { $0.active = active }
    ticker.wake()
  }

  /// Sends the last state, and ends the thread.
  func stop() {
    state.withLock { $0.active = nil }
    _ = ticker.stop(milliseconds: 2000)
  }

  // MARK: - The thread

  /// Does the work that is due, and returns the number of milliseconds until more is due.
  private func runDueWork(
    _ schedule: inout Schedule, _ events: EventHub, _ statusStore: RecorderStatusStore,
    _ abandoned: () -> Void
  ) -> Int {
    let now = System.nanoseconds
    var next = now + 3_600_000_000_000
    if let active = state.withLock({ $0.active }) {
      if events.listenerCount > 0 {
        schedule.unwatchedSince = nil
        if now >= schedule.tickTime {
          schedule.tickTime = max(schedule.tickTime + Self.tick, now + Self.tick / 2)
          let status = active.session.takeStatus()
          events.sendMomentary("meter", active.monitor.reading().json(status))
          statusStore.apply(status)
        }
        if now >= schedule.countTime {
          schedule.countTime = now + Self.countInterval
          if !active.isListening { state.withLock { $0.isDirty = true } }
        }
        next = schedule.tickTime
      } else {
        active.monitor.pause()
        let since = schedule.unwatchedSince ?? now
        schedule.unwatchedSince = since
        if active.isListening && now - since > abandonTimeout {
          schedule.unwatchedSince = now
          abandoned()
        }
        next = now + Self.listenerCheckInterval
      }
    } else {
      schedule.unwatchedSince = nil
    }
    if state.withLock(\.isDirty) {
      if now - schedule.sendTime >= Self.stateInterval {
        schedule.sendTime = now
        publishState(events, statusStore)
      } else {
        next = min(next, schedule.sendTime + Self.stateInterval)
      }
    }
    return Int(max(1, (next - System.nanoseconds + 999_999) / 1_000_000))
  }
}

extension SoundMonitor.Reading {
  /// Returns the reading and the status of its recording for pages, as JSON on one line.
  func json(_ status: RecordingStatus) -> String {
    let seconds = Double(status.sampleCount) / Double(max(1, status.sampleRate))
    func level(_ value: Float?) -> JSONValue { value.map { .decimal(Double($0), 1) } ?? .null }
    let loudness: [JSONValue.Member] = [
      .init("momentary", level(status.loudness.momentary)),
      .init("shortTerm", level(status.loudness.shortTerm)),
      .init("integrated", level(status.loudness.integrated)),
      .init("truePeak", level(status.loudness.truePeak)),
    ]
    let meter: JSONValue = [
      "seconds": .decimal(seconds, 3), "bytes": .integer(status.byteCount),
      "bitrate": .integer(StudioRecording.bitrate(of: payloadByteCount, in: seconds)),
      "drift": status.driftPartsPerMillion.map { .decimal($0, 1) } ?? .null,
      "clipped": .integer(status.clippedSampleCount),
      "gapCount": .integer(status.filledGapCount),
      "peaks": .list(peaks.map { .decimal(Double($0), 4) }),
      "rms": .list(powers.map { .decimal(Double($0).squareRoot(), 4) }),
      "loudness": .object(loudness),
      "columns": .text(Base64.encode(columns)),
      "frames": .list(frames.map { .list($0.numbers.map { .integer($0) }) }),
    ]
    return meter.encoded
  }
}
