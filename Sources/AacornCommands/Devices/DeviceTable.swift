import AacornContainers
import AacornDevices
import AacornSystem

/// A table of devices, human-readable and as JSON.
enum DeviceTable {
  /// The maximum width of the ID column; longer IDs shift the other columns.
  private static let idLimit = 60

  /// Returns the table of the devices, a block for each system.
  static func lines(_ scan: DeviceScan) -> [String] {
    let isCapture = scan.direction == .capture
    let syntheticTitle =
      isCapture
      ? "Test signals, for use instead of a device" : "Null output (discards the audio)"
    let syntheticRows =
      isCapture ? [[" ", "file:PATH", "", "", "A sound file: WAV, FLAC, MP3 and others"]] : []
    let titlePrefix = isCapture ? "" : "Outputs of "
    var lines: [String] = []
    var backends: [DeviceBackend] = []
    for device in scan.devices where !backends.contains(device.backend) {
      backends.append(device.backend)
    }
    for backend in backends {
      let isSynthetic = backend == .synthetic
      let rows = scan.devices.filter { $0.backend == backend }.map { cells($0) }
      if !lines.isEmpty { lines.append("") }
      lines.append(
        isSynthetic ? syntheticTitle : "\(titlePrefix)\(backend.title) (\(backend.rawValue))")
      lines += aligned(isSynthetic ? rows + syntheticRows : [header] + rows)
    }
    return lines
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

  static func json(_ device: Device, for direction: DeviceDirection) -> JSONValue {
    switch direction {
    case .capture: ["type": .text("device")] + device.json
    case .playback: ["type": .text("output")] + device.outputJSON
    }
  }

  /// Returns an unavailable system with the reason as JSON.
  static func json(_ backend: DeviceBackend, unavailable message: String) -> JSONValue {
    ["type": .text("unavailable"), "backend": .text(backend.rawValue), "message": .text(message)]
  }
}

/// The devices of all systems for a direction, and the errors of unavailable systems.
struct DeviceScan {
  let direction: DeviceDirection
  private(set) var devices: [Device] = []
  private(set) var failures: [(backend: DeviceBackend, error: DeviceError)] = []
  private let wantsTestSignals: Bool

  /// Queries a system, or all of them, in order of preference; the built-in one is last.
  init(_ direction: DeviceDirection, backend: DeviceBackend?) {
    self.direction = direction
    wantsTestSignals = direction == .capture && backend == .synthetic
    for system in Self.systems(backend) {
      do throws(DeviceError) {
        let found = try DeviceSystems.openedDevices(of: system, for: direction)
        // A system without outputs is not a failure.
        if found.isEmpty && direction == .capture {
          throw .noDevice(for: .capture, backend: system.backend)
        }
        devices += found
      } catch {
        failures.append((system.backend, error))
      }
    }
  }

  /// Creates a scan of inputs from the listings of a watcher of the same systems.
  init(_ listings: [DeviceWatcher.Listing], backend: DeviceBackend?) {
    direction = .capture
    wantsTestSignals = backend == .synthetic
    devices = listings.flatMap(\.devices)
    failures = listings.compactMap { listing in
      listing.error.map { (listing.system.backend, $0) }
    }
  }

  /// Creates a scan from a list of devices and errors.
  init(
    _ direction: DeviceDirection, devices: [Device],
    failures: [(backend: DeviceBackend, error: DeviceError)] = []
  ) {
    (self.direction, self.devices, self.failures) = (direction, devices, failures)
    wantsTestSignals = false
  }

  /// Whether a device was found that is not built in.
  var hasDevices: Bool { devices.contains { $0.backend != .synthetic } }

  /// Whether a device was found; test signals count only if requested.
  var isUsable: Bool { hasDevices || (wantsTestSignals && !devices.isEmpty) }

  /// Returns the errors that another scan has not already reported.
  func unreportedFailures(
    after other: DeviceScan?
  ) -> [(backend: DeviceBackend, error: DeviceError)] {
    let reported = other?.failures.map(\.error) ?? []
    return failures.filter { !reported.contains($0.error) }
  }

  /// Returns the errors to print, without errors that do not help the user.
  ///
  /// A sound system that is not preferred comes last, and only if no other sound server works.
  func printedFailures(
    after other: DeviceScan?, isVerbose: Bool
  ) -> [(backend: DeviceBackend, error: DeviceError)] {
    if isUsable && !isVerbose { return [] }
    let failures = unreportedFailures(after: other)
    func isNote(_ error: DeviceError) -> Bool {
      if case .notPreferred = error { true } else { false }
    }
    let noDevice = DeviceError.noDevice(for: direction, backend: .pulseAudio)
    let hasServer = self.failures.contains { $0.error == noDevice }
    let notes = failures.filter { isNote($0.error) && (isVerbose || !hasServer) }
    return failures.filter { !isNote($0.error) } + notes
  }

  /// Returns the systems to query; the built-in one is last.
  static func systems(_ backend: DeviceBackend?) -> [any DeviceSystem.Type] {
    guard let backend else { return DeviceSystems.all + [SyntheticSystem.self] }
    return DeviceSystems.selected(backend).map { [$0] } ?? []
  }
}
