import AacornDevices
import AacornSystem

/// A monitor that keeps the list of devices up to date on its own thread, and notifies pages of
/// changes.
final class DeviceWatch: Sendable {
  private struct State {
    var list = DeviceList.searching
    var isStopping = false
  }

  /// The state that the watch shares with its thread.
  ///
  /// The thread refers only to this state, so that it does not keep the watch alive.
  private final class SharedState: Sendable {
    let state = Lock(State())
    let changeSignal = Semaphore()
    let ended = Semaphore()
  }

  private let sharedState = SharedState()

  /// Milliseconds between checks if the system cannot report changes, or no system is usable.
  private static let checkInterval = 2000
  /// Milliseconds between checks if the system reports changes: a preferred system may become
  /// available.
  private static let longCheckInterval = 30_000
  /// Milliseconds without further changes before a check: connecting a device causes several
  /// changes.
  private static let settleMilliseconds = 50
  /// Milliseconds between checks while no page listens.
  private static let idleCheckInterval = 60_000

  /// Starts watching the systems, the preferred one first.
  init(_ systems: [any CaptureSystem.Type], _ events: EventHub) {
    let sharedState = sharedState
    events.publish("devices", DeviceList.searching.json)
    events.onFirstListener { sharedState.changeSignal.signal() }
    let isStarted = System.startThread {
      Self.watch(systems, sharedState, events)
      sharedState.ended.signal()
    }
    if !isStarted { sharedState.ended.signal() }
  }

  deinit { cancel() }

  /// The latest list of devices.
  var list: DeviceList { sharedState.state.withLock(\.list) }

  /// Ends the watch; a check that hangs in a system is abandoned.
  func stop() {
    cancel()
    _ = sharedState.ended.wait(milliseconds: 1000)
    sharedState.ended.signal()
  }

  private func cancel() {
    sharedState.state.withLock { $0.isStopping = true }
    sharedState.changeSignal.signal()
  }

  // MARK: - The thread

  private static func watch(
    _ systems: [any CaptureSystem.Type], _ sharedState: SharedState, _ events: EventHub
  ) {
    var watchers: [(backend: CaptureBackend, watch: any Sendable & AnyObject)] = []
    for system in systems {
      if let watch = system.watchDevices({ sharedState.changeSignal.signal() }) {
        watchers.append((system.backend, watch))
      }
    }
    scan(systems, sharedState, events)
    while !sharedState.state.withLock({ $0.isStopping }) {
      let system = sharedState.state.withLock { $0.list.system }
      let reportsChanges = watchers.contains { $0.backend == system }
      let interval =
        events.listenerCount == 0
        ? idleCheckInterval : reportsChanges ? longCheckInterval : checkInterval
      // A page that begins to listen signals `changeSignal`, too.
      let hasChange = sharedState.changeSignal.wait(milliseconds: interval)
      if sharedState.state.withLock({ $0.isStopping }) { break }
      if hasChange { while sharedState.changeSignal.wait(milliseconds: settleMilliseconds) {} }
      if sharedState.state.withLock({ $0.isStopping }) { break }
      scan(systems, sharedState, events)
    }
    withExtendedLifetime(watchers) {}
  }

  private static func scan(
    _ systems: [any CaptureSystem.Type], _ sharedState: SharedState, _ events: EventHub
  ) {
    let list = DeviceList(among: systems)
    let isNew = sharedState.state.withLock { state in
      defer { state.list = list }
      return state.list != list
    }
    if isNew { events.publish("devices", list.json) }
  }
}
