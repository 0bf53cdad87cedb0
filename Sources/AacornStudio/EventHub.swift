import AacornSystem
import AacornWeb

/// Sends server-sent events to listening pages (HTML, 9.2).
///
/// Nothing here waits, and nothing is kept for a page beyond what is on its way to it: of lasting
/// events only the latest, of momentary ones nothing. A page that does not read costs a little
/// memory and never more.
final class EventHub: Sendable {
  /// A listening page.
  private struct Listener {
    let stream: HTTPStream
    /// The names of events to send when it has read what is on its way, in order.
    var owed: [String] = []
  }

  private struct State {
    var listeners: [ObjectIdentifier: Listener] = [:]
    /// The latest of each lasting event, in the form in which it is sent.
    var latest: [String: [UInt8]] = [:]
    /// Their names, in the order in which they were first sent.
    var names: [String] = []
    var isBeating = false
    var isClosed = false
    /// Called when somebody begins to listen.
    var watchers: [@Sendable () -> Void] = []
  }

  private let state = Lock(State())
  private let alarm = Semaphore()

  /// Bytes on their way to a page beyond which it counts as behind.
  private static let backlog = 16 * 1024
  /// Far more than is ever on its way to a page.
  private static let limit = 1 << 20
  /// Milliseconds between heartbeats, without which proxies and pages drop a connection.
  private let heartbeat: Int

  init(heartbeatMilliseconds: Int = 15_000) { heartbeat = heartbeatMilliseconds }

  deinit { alarm.signal() }

  /// The number of pages listening now.
  var listenerCount: Int {
    state.withLock { $0.listeners.values.filter { !$0.stream.isClosed }.count }
  }

  /// Adds a function called whenever a page begins to listen while no other does; it must not wait.
  func whenSomebodyListens(_ watcher: @escaping @Sendable () -> Void) {
    state.withLock { $0.watchers.append(watcher) }
  }

  /// Sends all pages a current state as JSON on one line.
  ///
  /// A new page gets the latest event of each name at once, and a page that has fallen behind gets
  /// it when there is room again.
  func tell(_ name: String, _ json: String) {
    let event = Self.event(name, json)
    state.withLock { state in
      if state.latest.updateValue(event, forKey: name) == nil { state.names.append(name) }
      for (key, listener) in state.listeners {
        if listener.owed.isEmpty && listener.stream.pendingByteCount <= Self.backlog {
          if Self.push(event, to: listener.stream) { continue }
          state.listeners[key] = nil
        } else if !listener.owed.contains(name) {
          state.listeners[key]?.owed.append(name)
        }
      }
    }
  }

  /// Sends all pages a momentary event, which pages that have fallen behind never get.
  func mention(_ name: String, _ json: String) {
    state.withLock { state in
      if state.listeners.isEmpty { return }
      let event = Self.event(name, json)
      for (key, listener) in state.listeners
      where listener.owed.isEmpty && listener.stream.pendingByteCount <= Self.backlog {
        if !Self.push(event, to: listener.stream) { state.listeners[key] = nil }
      }
    }
  }

  /// The answer for a page that wants to listen.
  func attach() -> HTTPResponse {
    let stream = HTTPStream(capacity: Self.limit) { [weak self] in self?.settle($0) }
    let watchers: [@Sendable () -> Void]? = state.withLock { state in
      if state.isClosed { return nil }
      // The first bytes show that the server is ready, and how soon to reconnect when it is gone.
      stream.push("retry: 1000\n\n")
      for name in state.names { stream.push(state.latest[name] ?? []) }
      state.listeners = state.listeners.filter { !$0.value.stream.isClosed }
      let isAlone = state.listeners.isEmpty
      state.listeners[ObjectIdentifier(stream)] = Listener(stream: stream)
      startBeating(&state)
      return isAlone ? state.watchers : []
    }
    guard let watchers else {
      return StudioAnswer.failure("The studio is shutting down.", status: 503)
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

  /// Ends all streams.
  func close() {
    let streams = state.withLock { state in
      state.isClosed = true
      defer { state.listeners = [:] }
      return state.listeners.values.map(\.stream)
    }
    alarm.signal()
    for stream in streams { stream.finish() }
  }

  // MARK: - Pages that fall behind

  /// Sends a page that has read everything the events that it missed.
  private func settle(_ stream: HTTPStream) {
    state.withLock { state in
      let key = ObjectIdentifier(stream)
      guard let owed = state.listeners[key]?.owed, !owed.isEmpty else { return }
      var count = 0
      while count < owed.count && stream.pendingByteCount <= Self.backlog {
        stream.push(state.latest[owed[count]] ?? [])
        count += 1
      }
      state.listeners[key]?.owed.removeFirst(count)
    }
  }

  /// Returns false if the page is gone.
  private static func push(_ event: [UInt8], to stream: HTTPStream) -> Bool {
    stream.push(event) != .closed
  }

  /// An event in the form in which it is sent; a line break in the text would end it early.
  private static func event(_ name: String, _ json: String) -> [UInt8] {
    var bytes = Array("event: \(name)\ndata: ".utf8)
    for byte in json.utf8 where byte != 0x0A && byte != 0x0D { bytes.append(byte) }
    return bytes + [0x0A, 0x0A]
  }

  // MARK: - Heartbeats

  /// Starts a thread that sends heartbeats for as long as somebody listens.
  private func startBeating(_ state: inout State) {
    if state.isBeating { return }
    state.isBeating = System.startThread { [weak self, alarm, heartbeat] in
      repeat { _ = alarm.wait(milliseconds: heartbeat) } while self?.beat() == true
    }
  }

  /// Sends all pages a heartbeat; false if there are none.
  private func beat() -> Bool {
    state.withLock { state in
      for (key, listener) in state.listeners {
        // Pages that are behind have something on its way.
        if listener.stream.isClosed { state.listeners[key] = nil }
        if listener.stream.pendingByteCount == 0 { listener.stream.push(":\n\n") }
      }
      state.isBeating = !state.isClosed && !state.listeners.isEmpty
      return state.isBeating
    }
  }
}
