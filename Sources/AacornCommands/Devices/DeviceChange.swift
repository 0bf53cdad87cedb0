import AacornDevices
import AacornRecording
import AacornSystem

/// A difference between two lists of devices.
enum DeviceChange: Equatable {
  case added(Device)
  case removed(Device)
  case becameDefault(Device)
  /// The rate, the channels or the name of the device changed.
  case changed(Device)

  /// Returns the changes between two lists: first removals, then additions, then others.
  static func between(_ before: [Device], _ after: [Device]) -> [DeviceChange] {
    func isSame(_ one: Device, _ other: Device) -> Bool {
      one.backend == other.backend && one.id == other.id
    }
    var changes: [DeviceChange] = []
    for device in before where !after.contains(where: { isSame($0, device) }) {
      changes.append(.removed(device))
    }
    for device in after where !before.contains(where: { isSame($0, device) }) {
      changes.append(.added(device))
    }
    for device in after {
      let old = before.first { isSame($0, device) }
      if device.isDefault && old?.isDefault != true { changes.append(.becameDefault(device)) }
      guard var old else { continue }
      old.isDefault = device.isDefault
      if old != device { changes.append(.changed(device)) }
    }
    return changes
  }

  /// A human-readable line: `+` added, `-` removed, `*` the default, `~` changed.
  var line: String {
    switch self {
    case .added(let device): "+ " + DeviceTable.line(device)
    case .removed(let device): "- " + DeviceTable.line(device)
    case .becameDefault(let device): "* " + displayed(device.id) + " is now the default"
    case .changed(let device): "~ " + DeviceTable.line(device)
    }
  }

  func json(wallTime: Int64) -> JSONValue {
    let (word, device) =
      switch self {
      case .added(let device): ("added", device)
      case .removed(let device): ("removed", device)
      case .becameDefault(let device): ("default", device)
      case .changed(let device): ("changed", device)
      }
    return .object(
      [
        .init("type", .text(word)), .init("time", .text(Timestamp.iso8601(wallTime))),
      ] + device.members)
  }
}
