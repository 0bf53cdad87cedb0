import AacornDevices
import AacornRecording
import AacornSystem

/// The devices that audio can be captured from now.
struct DeviceList: Sendable, Equatable {
  /// The system that offers the devices; nil if none is usable, or none was queried yet.
  var system: CaptureBackend?
  var devices: [CaptureDevice] = []
  /// Why there are none, as a sentence.
  var problem: String?
  /// Whether the systems are still being queried for the first time.
  var isLooking = false

  /// A list that is still being built.
  static let looking = DeviceList(isLooking: true)

  private init(isLooking: Bool) { self.isLooking = isLooking }

  /// Queries the systems in order of preference, which may take seconds, and uses the first one
  /// that has devices: the others offer the same ones under other names.
  init(among systems: [any CaptureSystem.Type]) {
    do throws(CaptureError) {
      let found = try CaptureSystems.preferredDevices(among: systems)
      (system, devices) = (found.system.backend, found.devices)
    } catch {
      problem = error.studioSentence
    }
  }

  /// Whether echo and noise can be removed.
  private var canProcessVoice: Bool { system?.canProcessVoice ?? false }

  /// The list for pages, on one line.
  var json: String {
    JSONValue.object([
      .init("system", .optional(system?.rawValue)), .init("devices", .list(devices.map(Self.json))),
      .init("builtIn", .list(Self.builtIn)), .init("problem", .optional(problem)),
      .init("canProcessVoice", .flag(canProcessVoice)), .init("isLooking", .flag(isLooking)),
    ]).encoded
  }

  private static func json(_ device: CaptureDevice) -> JSONValue {
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
    ((try? SyntheticSystem.devices()) ?? []).map { device in
      .object([.init("id", .text(device.id)), .init("name", .text(device.name))])
    }
  }
}
