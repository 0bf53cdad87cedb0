import AacornDevices
import AacornRecording
import AacornSystem

/// Devices in rows, for people and for programs.
enum DeviceTable {
  /// The widest column of ids; longer ones shift the rest.
  private static let idLimit = 60

  /// The table, a block for each system.
  static func lines(_ survey: DeviceSurvey) -> [String] {
    var lines: [String] = []
    var backends: [CaptureBackend] = []
    for device in survey.devices where !backends.contains(device.backend) {
      backends.append(device.backend)
    }
    for backend in backends {
      var rows = survey.devices.filter { $0.backend == backend }.map(cells)
      if backend == .synthetic {
        rows.append([" ", "file:PATH", "", "", "A sound file: WAV, FLAC, MP3 and others"])
      }
      if !lines.isEmpty { lines.append("") }
      lines.append(
        backend == .synthetic
          ? "Built in (made by the program, not captured)"
          : "\(backend.title) (\(backend.rawValue))")
      lines += aligned(rows)
    }
    return lines
  }

  /// One device on one line.
  static func line(_ device: CaptureDevice) -> String {
    cells(device).dropFirst().filter { !$0.isEmpty }.joined(separator: "  ")
  }

  private static func cells(_ device: CaptureDevice) -> [String] {
    let isBuiltIn = device.backend == .synthetic
    var name = displayed(device.name)
    if device.isMonitor { name += " [monitor]" }
    return [
      device.isDefault && !isBuiltIn ? "*" : " ", displayed(device.id),
      device.channelCount > 0 ? "\(device.channelCount) ch" : "",
      device.sampleRate > 0 ? QuantityText.frequency(device.sampleRate) : "", name,
    ]
  }

  private static func aligned(_ rows: [[String]]) -> [String] {
    let widths = (0..<4).map { column in
      min(idLimit, rows.map { $0[column].count }.max() ?? 0)
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

  /// The JSON object of a device; keys keep their names and order.
  static func json(_ device: CaptureDevice) -> JSONValue {
    .object([.init("type", .text("device"))] + device.members)
  }

  /// The JSON object of a system without devices.
  static func json(_ backend: CaptureBackend, _ error: CaptureError) -> JSONValue {
    .object([
      .init("type", .text("unavailable")), .init("backend", .text(backend.rawValue)),
      .init("message", .text(error.commandSentence)),
    ])
  }
}
