import AacornDevices
import AacornRecording
import AacornSystem

/// A table of devices, human-readable and as JSON.
enum DeviceTable {
  /// The maximum width of the ID column; longer IDs shift the other columns.
  private static let idLimit = 60

  /// Returns the table of capture devices, a block for each system.
  static func lines(_ scan: CaptureDeviceScan) -> [String] {
    lines(
      scan.devices, syntheticTitle: "Test signals, for use instead of a device",
      syntheticRows: [[" ", "file:PATH", "", "", "A sound file: WAV, FLAC, MP3 and others"]])
  }

  /// Returns the table of outputs, a block for each system.
  static func lines(_ scan: PlaybackDeviceScan) -> [String] {
    lines(
      scan.devices, titlePrefix: "Outputs of ", syntheticTitle: "Null output (discards the audio)")
  }

  /// Returns a block for each system; `syntheticRows` follow the devices of the built-in system.
  private static func lines(
    _ devices: [Device], titlePrefix: String = "", syntheticTitle: String,
    syntheticRows: [[String]] = []
  ) -> [String] {
    var lines: [String] = []
    var backends: [DeviceBackend] = []
    for device in devices where !backends.contains(device.backend) {
      backends.append(device.backend)
    }
    for backend in backends {
      let isSynthetic = backend == .synthetic
      let rows = devices.filter { $0.backend == backend }.map { cells($0) }
      if !lines.isEmpty { lines.append("") }
      lines.append(
        isSynthetic ? syntheticTitle : "\(titlePrefix)\(backend.title) (\(backend.rawValue))")
      lines += aligned(isSynthetic ? rows + syntheticRows : [header] + rows)
    }
    return lines
  }

  /// Returns the explanation of a table that contains real devices, for the end of the list.
  static func explanation(hasDevices: Bool) -> [String] {
    hasDevices ? ["", "* is the default. Use an ID or a name with --device."] : []
  }

  private static let header = [" ", "ID", "Channels", "Rate", "Name"]

  static func line(_ device: Device) -> String {
    var cells = cells(device)
    if device.channelCount > 0 { cells[2] = QuantityText.count(device.channelCount, "channel") }
    return cells.dropFirst().filter { !$0.isEmpty }.joined(separator: "  ")
  }

  private static func cells(_ device: Device) -> [String] {
    [
      device.isDefault && device.backend != .synthetic ? "*" : " ", displayed(device.id),
      device.channelCount > 0 ? "\(device.channelCount)" : "",
      device.sampleRate > 0 ? QuantityText.frequency(device.sampleRate) : "",
      displayed(device.name) + (device.isMonitor ? " [records an output]" : ""),
    ]
  }

  private static func aligned(_ rows: [[String]]) -> [String] {
    let widths = (0..<4).map { column in
      // A column without values is omitted, even though it has a header.
      let isEmpty = rows.allSatisfy { $0[column].isEmpty || $0 == header }
      return isEmpty ? 0 : min(idLimit, rows.map { $0[column].count }.max() ?? 0)
    }
    return rows.map { row in
      var line = "  "
      for (column, cell) in row.enumerated() {
        guard column < widths.count else {
          line += cell
          continue
        }
        if widths[column] == 0 { continue }
        let gap = String(repeating: " ", count: max(0, widths[column] - cell.count))
        // Numbers are right-aligned, words left-aligned.
        line += column == 2 || column == 3 ? gap + cell : cell + gap
        line += column == 0 ? " " : "  "
      }
      return line
    }
  }

  /// Returns a device as JSON, with stable names and order of the keys.
  static func json(_ device: Device) -> JSONValue {
    .object([.init("type", .text("device"))] + device.members)
  }

  /// Returns an output as JSON, with stable names and order of the keys.
  static func json(output: Device) -> JSONValue {
    .object([.init("type", .text("output"))] + output.outputMembers)
  }

  /// Returns an unavailable system with the reason as JSON.
  static func json(_ backend: DeviceBackend, unavailable message: String) -> JSONValue {
    .object([
      .init("type", .text("unavailable")), .init("backend", .text(backend.rawValue)),
      .init("message", .text(message)),
    ])
  }
}

/// The playback devices of all systems, and the errors of unavailable systems.
struct PlaybackDeviceScan {
  private(set) var devices: [Device] = []
  private(set) var failures: [(backend: DeviceBackend, error: DeviceError)] = []

  /// Queries a system, or all of them, in order of preference; the built-in one is last.
  init(backend: DeviceBackend?) {
    for system in CaptureDeviceScan.systems(backend) {
      do throws(DeviceError) {
        try system.checkAvailability(for: .playback)
        devices += try system.devices(for: .playback)
      } catch {
        failures.append((system.backend, error))
      }
    }
  }

  /// Creates a scan from a list of devices and errors.
  init(
    devices: [Device], failures: [(backend: DeviceBackend, error: DeviceError)] = []
  ) {
    self.devices = devices
    self.failures = failures
  }

  /// Whether an output other than the null output exists.
  var isUsable: Bool { devices.contains { $0.backend != .synthetic } }

  /// Returns the errors that a scan of capture devices has not already reported.
  func unreportedFailures(
    after scan: CaptureDeviceScan
  ) -> [(backend: DeviceBackend, error: DeviceError)] {
    let reported = scan.failures.map(\.error)
    return failures.filter { !reported.contains($0.error) }
  }
}

/// The capture devices of all systems, and the errors of unavailable systems.
struct CaptureDeviceScan {
  private(set) var devices: [Device] = []
  private(set) var failures: [(backend: DeviceBackend, error: DeviceError)] = []
  /// Whether a device was found; test signals count only if requested.
  private(set) var isUsable = false

  /// Queries a system, or all of them, in order of preference.
  init(backend: DeviceBackend?) {
    for system in Self.systems(backend) {
      do throws(DeviceError) {
        devices += try system.usableDevices(for: .capture)
        if system.backend != .synthetic || backend == .synthetic { isUsable = true }
      } catch {
        failures.append((system.backend, error))
      }
    }
  }

  /// Creates a scan from a list of devices and errors.
  init(
    devices: [Device], failures: [(backend: DeviceBackend, error: DeviceError)] = []
  ) {
    self.devices = devices
    self.failures = failures
    isUsable = devices.contains { $0.backend != .synthetic }
  }

  /// Returns the systems to query; the built-in one is last.
  static func systems(_ backend: DeviceBackend?) -> [any DeviceSystem.Type] {
    let all = DeviceSystems.all + [SyntheticSystem.self as any DeviceSystem.Type]
    guard let backend else { return all }
    return all.filter { $0.backend == backend }
  }
}
