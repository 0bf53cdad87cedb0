import AacornContainers
import AacornDevices
import AacornSystem

/// A thread that keeps the list of devices up to date, and notifies pages of changes.
final class DeviceWatch: Sendable {
  private let latest = Lock(DeviceList.searching)
  private let ticker = Ticker("device watch")

  /// Starts watching the systems, the preferred one first.
  init(_ systems: [any DeviceSystem.Type], _ events: EventHub) {
    let (latest, ticker) = (latest, ticker)
    events.publish("devices", DeviceList.searching.json)
    let watcher = DeviceWatcher(systems, .preferred) { ticker.wake() }
    ticker.start(with: watcher) { watcher in
      if let listings = watcher.refresh() {
        let list = DeviceList(listings)
        let old = latest.withLock { latest in
          defer { latest = list }
          return latest
        }
        if list != old { events.publish("devices", list.json) }
      }
      return watcher.pause
    }
  }

  deinit { ticker.cancel() }

  /// The latest list of devices.
  var list: DeviceList { latest.withLock(\.self) }

  /// Ends the watch; a query that hangs in a system is abandoned.
  func stop() { _ = ticker.stop(milliseconds: 1000) }
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

  /// Creates the list of the first system with devices, from the listings of a watcher.
  ///
  /// The other systems offer the same devices under other names.
  init(_ listings: [DeviceWatcher.Listing]) {
    do throws(DeviceError) {
      let found = try listings.preferred()
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
