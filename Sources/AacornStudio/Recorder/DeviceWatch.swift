import AacornDevices
import AacornRecording
import AacornSystem

/// A monitor that keeps the list of devices up to date on its own thread, and notifies pages of
/// changes.
final class DeviceWatch: Sendable {
  private struct State {
    var list = DeviceList.searching
    /// Whether the devices may have changed since the last scan.
    var hasChange = false
  }

  /// The systems that report changes until their watch is released.
  private typealias Watchers = [(backend: DeviceBackend, watch: any Sendable & AnyObject)]

  private let state = Lock(State())
  private let ticker = Ticker()

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
  init(_ systems: [any DeviceSystem.Type], _ events: EventHub) {
    let (state, ticker) = (state, ticker)
    let change: @Sendable () -> Void = {
      let isFirst = state.withLock { state in
        defer { state.hasChange = true }
        return !state.hasChange
      }
      if isFirst { ticker.wake() }
    }
    events.publish("devices", DeviceList.searching.json)
    events.onFirstListener(change)
    ticker.start(with: Watchers?.none) { watchers in
      if watchers == nil {
        watchers = Self.watchers(of: systems, change)
      } else if Self.takeChange(state) {
        return Self.settleMilliseconds
      }
      Self.scan(systems, state, events)
      if events.listenerCount == 0 { return Self.idleCheckInterval }
      let system = state.withLock(\.list.system)
      let reportsChanges = watchers?.contains { $0.backend == system } == true
      return reportsChanges ? Self.longCheckInterval : Self.checkInterval
    }
  }

  deinit { ticker.cancel() }

  /// The latest list of devices.
  var list: DeviceList { state.withLock(\.list) }

  /// Ends the watch; a check that hangs in a system is abandoned.
  func stop() { _ = ticker.stop(milliseconds: 1000) }

  // MARK: - The thread

  private static func watchers(
    of systems: [any DeviceSystem.Type], _ change: @escaping @Sendable () -> Void
  ) -> Watchers {
    systems.compactMap { system in
      system.watchDevices(change).map { (system.backend, $0) }
    }
  }

  private static func takeChange(_ state: Lock<State>) -> Bool {
    state.withLock { state in
      defer { state.hasChange = false }
      return state.hasChange
    }
  }

  private static func scan(
    _ systems: [any DeviceSystem.Type], _ state: Lock<State>, _ events: EventHub
  ) {
    let list = DeviceList(among: systems)
    let isNew = state.withLock { state in
      defer { state.list = list }
      return state.list != list
    }
    if isNew { events.publish("devices", list.json) }
  }
}

/// The devices from which audio can be captured now.
struct DeviceList: Sendable, Equatable {
  /// The system that offers the devices; nil if no system is usable, or before the first query.
  var system: DeviceBackend?
  var devices: [Device] = []
  /// The message that says why there are no devices.
  var problem: String?
  /// Whether the first query of the systems is still in progress.
  var isSearching = false

  /// The list before the first query has finished.
  static let searching = DeviceList(isSearching: true)

  private init(isSearching: Bool) { self.isSearching = isSearching }

  /// Queries the systems in order of preference, which may take seconds, and uses the first system
  /// with devices.
  ///
  /// The other systems offer the same devices under other names.
  init(among systems: [any DeviceSystem.Type]) {
    do throws(DeviceError) {
      let found = try DeviceSystems.preferredDevices(for: .capture, among: systems)
      (system, devices) = (found.system.backend, found.devices)
    } catch {
      problem = error.pageMessage
    }
  }

  /// Whether echo and noise can be removed by the system.
  private var canProcessVoice: Bool { system?.canProcessVoice ?? false }

  /// The list for pages, as JSON on one line.
  var json: String {
    let list: JSONValue = [
      "system": .optional(system?.rawValue), "devices": .list(devices.map(Self.json)),
      "builtIn": .list(Self.builtIn), "problem": .optional(problem),
      "canProcessVoice": .flag(canProcessVoice), "isLooking": .flag(isSearching),
    ]
    return list.encoded
  }

  private static func json(_ device: Device) -> JSONValue {
    .object(
      device.members + [
        .init("details", .text(displayed(device.details))),
        .init("channels", .integer(device.channelCount)),
        .init("sampleRate", .integer(device.sampleRate)),
        .init("isDefault", .flag(device.isDefault)), .init("isMonitor", .flag(device.isMonitor)),
      ])
  }

  private static var builtIn: [JSONValue] {
    SyntheticSystem.devices(for: .capture).map { device in
      ["id": .text(device.id), "name": .text(device.name)]
    }
  }
}
