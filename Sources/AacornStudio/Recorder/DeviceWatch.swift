import AacornDevices
import AacornSystem

/// A monitor that keeps the list of devices up to date on its own thread, and notifies pages of changes.
final class DeviceWatch: Sendable {
  private struct State {
    var list = DeviceList.looking
    var isStopping = false
  }

  /// The state that the thread shares with the watch, without a reference to the watch.
  private final class Desk: Sendable {
    let state = Lock(State())
    let news = Semaphore()
    let ended = Semaphore()
  }

  private let desk = Desk()

  /// Milliseconds between checks if the system cannot report changes, or no system is usable.
  private static let look = 2000
  /// Milliseconds between checks if the system reports changes: a preferred system may become available.
  private static let longLook = 30_000
  /// Milliseconds without further changes before a check: connecting a device causes several changes.
  private static let settling = 50
  /// Milliseconds between checks while no page listens.
  private static let sleepyLook = 60_000

  /// Starts watching the systems, the preferred one first.
  init(_ systems: [any CaptureSystem.Type], _ events: EventHub) {
    let desk = desk
    events.tell("devices", DeviceList.looking.json)
    events.whenSomebodyListens { desk.news.signal() }
    let isStarted = System.startThread {
      Self.watch(systems, desk, events)
      desk.ended.signal()
    }
    if !isStarted { desk.ended.signal() }
  }

  deinit { cancel() }

  /// The latest list of devices.
  var list: DeviceList { desk.state.withLock(\.list) }

  /// Ends the watch; a check that hangs in a system is abandoned.
  func stop() {
    cancel()
    _ = desk.ended.wait(milliseconds: 1000)
    desk.ended.signal()
  }

  private func cancel() {
    desk.state.withLock { $0.isStopping = true }
    desk.news.signal()
  }

  // MARK: - The thread

  private static func watch(
    _ systems: [any CaptureSystem.Type], _ desk: Desk, _ events: EventHub
  ) {
    var watchers: [(backend: CaptureBackend, watch: any Sendable & AnyObject)] = []
    for system in systems {
      if let watch = system.watchDevices({ desk.news.signal() }) {
        watchers.append((system.backend, watch))
      }
    }
    survey(systems, desk, events)
    while !desk.state.withLock({ $0.isStopping }) {
      let system = desk.state.withLock { $0.list.system }
      let isTold = watchers.contains { $0.backend == system }
      let interval = events.listenerCount == 0 ? sleepyLook : isTold ? longLook : look
      // A page that begins to listen signals, too.
      let hasNews = desk.news.wait(milliseconds: interval)
      if desk.state.withLock({ $0.isStopping }) { break }
      if hasNews { while desk.news.wait(milliseconds: settling) {} }
      if desk.state.withLock({ $0.isStopping }) { break }
      survey(systems, desk, events)
    }
    withExtendedLifetime(watchers) {}
  }

  private static func survey(
    _ systems: [any CaptureSystem.Type], _ desk: Desk, _ events: EventHub
  ) {
    let list = DeviceList(among: systems)
    let isNew = desk.state.withLock { state in
      defer { state.list = list }
      return state.list != list
    }
    if isNew { events.tell("devices", list.json) }
  }
}
