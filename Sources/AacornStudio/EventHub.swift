import AacornNetwork
import AacornSystem

/// Sends server-sent events to listening pages (HTML, 9.2).
///
/// No method waits. The hub stores only the latest event of each lasting kind (`publish`), and no
/// momentary events such as meter readings (`sendMomentary`). A page that does not read its events costs
/// a bounded amount of memory.
final class EventHub: Sendable {
  /// A listening page.
  private struct Listener {
    let stream: HTTPStream
    /// The names of the events to send once the page has read its pending bytes, in order.
    var pendingNames: [String] = []

    var isBehind: Bool {
      !pendingNames.isEmpty || stream.pendingByteCount > EventHub.maxPendingByteCount
    }
  }

  private struct State {
    var listeners: [ObjectIdentifier: Listener] = [:]
    /// The latest event of each lasting kind, encoded for sending.
    var latest: [String: [UInt8]] = [:]
    /// The names of the lasting events, in the order in which they were first sent.
    var names: [String] = []
    var sendsHeartbeats = false
    var isClosed = false
    /// The functions to call when a page begins to listen while no other page does.
    var watchers: [@Sendable () -> Void] = []
  }

  private let state = Lock(State())
  private let wakeSignal = Semaphore()

  /// The number of pending bytes beyond which a page counts as behind.
  private static let maxPendingByteCount = 16 * 1024
  /// The capacity of a page's stream in bytes, far more than a page ever has pending.
  private static let limit = 1 << 20
  /// The interval between heartbeats in milliseconds.
  ///
  /// Without heartbeats, proxies and pages drop an idle connection.
  private let heartbeat: Int

  init(heartbeatMilliseconds: Int = 15_000) { heartbeat = heartbeatMilliseconds }

  deinit { wakeSignal.signal() }

  /// The number of listening pages.
  var listenerCount: Int {
    state.withLock { $0.listeners.values.filter { !$0.stream.isClosed }.count }
  }

  /// Adds a function to call whenever a page begins to listen while no other page does; the
  /// function must not wait.
  func onFirstListener(_ watcher: @escaping @Sendable () -> Void) {
    state.withLock { $0.watchers.append(watcher) }
  }

  /// Sends a current state to all pages, as JSON on one line.
  ///
  /// A new page receives the latest event of each name immediately. A page that is behind receives
  /// the latest event once it has read its pending bytes.
  func publish(_ name: String, _ json: String) {
    let event = Self.event(name, json)
    state.withLock { state in
      if state.latest.updateValue(event, forKey: name) == nil { state.names.append(name) }
      for (key, listener) in state.listeners {
        if !listener.isBehind {
          Self.push(event, to: key, &state)
        } else if !listener.pendingNames.contains(name) {
          state.listeners[key]?.pendingNames.append(name)
        }
      }
    }
  }

  /// Sends a momentary event to all pages except those that are behind.
  func sendMomentary(_ name: String, _ json: String) {
    state.withLock { state in
      if state.listeners.isEmpty { return }
      let event = Self.event(name, json)
      for (key, listener) in state.listeners where !listener.isBehind {
        Self.push(event, to: key, &state)
      }
    }
  }

  /// Returns the response that adds a listening page.
  func attach() -> HTTPResponse {
    let stream = HTTPStream(capacity: Self.limit) { [weak self] in self?.sendMissedEvents($0) }
    let watchers: [@Sendable () -> Void]? = state.withLock { state in
      if state.isClosed { return nil }
      // The first bytes show that the server is ready, and set the delay before a reconnection.
      stream.push("retry: 1000\n\n")
      for name in state.names { stream.push(state.latest[name] ?? []) }
      state.listeners = state.listeners.filter { !$0.value.stream.isClosed }
      let isFirst = state.listeners.isEmpty
      state.listeners[ObjectIdentifier(stream)] = Listener(stream: stream)
      startHeartbeats(&state)
      return isFirst ? state.watchers : []
    }
    guard let watchers else {
      return StudioError.shuttingDown.response
    }
    for watcher in watchers { watcher() }
    return HTTPResponse(headers: Self.headers, stream: stream)
  }

  /// The headers of an event stream.
  static let headers = [
    HTTPField("Content-Type", "text/event-stream"), HTTPField("Cache-Control", "no-store"),
    // Proxies such as nginx would otherwise buffer events.
    HTTPField("X-Accel-Buffering", "no"),
  ]

  /// Ends all event streams.
  func close() {
    let streams = state.withLock { state in
      state.isClosed = true
      defer { state.listeners = [:] }
      return state.listeners.values.map(\.stream)
    }
    wakeSignal.signal()
    for stream in streams { stream.finish() }
  }

  // MARK: - Pages that fall behind

  /// Sends the missed events to a page that has read its pending bytes.
  private func sendMissedEvents(_ stream: HTTPStream) {
    state.withLock { state in
      let key = ObjectIdentifier(stream)
      guard let pendingNames = state.listeners[key]?.pendingNames, !pendingNames.isEmpty else {
        return
      }
      var count = 0
      while count < pendingNames.count && stream.pendingByteCount <= Self.maxPendingByteCount {
        stream.push(state.latest[pendingNames[count]] ?? [])
        count += 1
      }
      state.listeners[key]?.pendingNames.removeFirst(count)
    }
  }

  /// Sends an event to a page, or removes the page if it has disconnected.
  private static func push(_ event: [UInt8], to key: ObjectIdentifier, _ state: inout State) {
    if state.listeners[key]?.stream.push(event) == .closed { state.listeners[key] = nil }
  }

  /// Encodes an event for sending, without line breaks, which would end the event early.
  private static func event(_ name: String, _ json: String) -> [UInt8] {
    var bytes = Array("event: \(name)\ndata: ".utf8)
    for byte in json.utf8 where byte != 0x0A && byte != 0x0D { bytes.append(byte) }
    return bytes + [0x0A, 0x0A]
  }

  // MARK: - Heartbeats

  /// Starts a thread that sends heartbeats as long as pages listen.
  private func startHeartbeats(_ state: inout State) {
    if state.sendsHeartbeats { return }
    state.sendsHeartbeats = System.startThread("heartbeats") { [weak self, wakeSignal, heartbeat] in
      repeat { _ = wakeSignal.wait(milliseconds: heartbeat) } while self?.sendHeartbeat() == true
    }
  }

  /// Sends a heartbeat to all pages; returns false if there are no pages.
  private func sendHeartbeat() -> Bool {
    state.withLock { state in
      for (key, listener) in state.listeners {
        // Slow pages need no heartbeat, because they still have pending bytes.
        if listener.stream.isClosed { state.listeners[key] = nil }
        if listener.stream.pendingByteCount == 0 { listener.stream.push(":\n\n") }
      }
      state.sendsHeartbeats = !state.isClosed && !state.listeners.isEmpty
      return state.sendsHeartbeats
    }
  }
}
