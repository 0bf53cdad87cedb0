import AacornDevices
import AacornRecording
import AacornSystem

/// The devices from which audio can be captured now.
struct DeviceList: Sendable, Equatable {
  /// The system that offers the devices; nil if no system is usable, or before the first query.
  var system: CaptureBackend?
  var devices: [Device] = []
  /// The reason why there are no devices, as a sentence.
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
    do throws(CaptureError) {
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
    JSONValue.object([
      .init("system", .optional(system?.rawValue)), .init("devices", .list(devices.map(Self.json))),
      .init("builtIn", .list(Self.builtIn)), .init("problem", .optional(problem)),
      .init("canProcessVoice", .flag(canProcessVoice)), .init("isLooking", .flag(isSearching)),
    ]).encoded
  }

  private static func json(_ device: Device) -> JSONValue {
    .object([
      .init("backend", .text(device.backend.rawValue)), .init("id", .text(device.id)),
      .init("name", .text(displayed(device.name.isEmpty ? device.id : device.name))),
      .init("details", .text(displayed(device.details))),
      .init("channels", .integer(device.channelCount)),
      .init("sampleRate", .integer(device.sampleRate)),
      .init("isDefault", .flag(device.isDefault)), .init("isMonitor", .flag(device.isMonitor)),
    ])
  }

  private static var builtIn: [JSONValue] {
    SyntheticSystem.devices(for: .capture).map { device in
      .object([.init("id", .text(device.id)), .init("name", .text(device.name))])
    }
  }
}
