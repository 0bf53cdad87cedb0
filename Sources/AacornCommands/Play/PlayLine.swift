import AacornSystem

/// The line at the bottom of the terminal during playback.
///
///     song.m4a  1:23 / 4:56  ▮▮▮▮▮▮▮▯▯▯▯▯  1.25×  80 %
///
/// The bar is the level of the loudest channel, from −60 dB to full scale. In a narrow terminal the
/// hint about keys is omitted first, then the name is cut, then the bar and the items after it are
/// omitted.
struct PlayLine: Equatable {
  var name = ""
  /// The position in seconds.
  var seconds = 0.0
  var duration: Double?
  /// The level in dBFS.
  var level = -Double.infinity
  var speed = 1.0
  /// The volume in percent.
  var volume = 100
  var isPaused = false
  /// The reason why nothing is playing, or nil.
  var problem: String?
  /// The hint about keys, if there are any.
  var hint: String?

  private static let barWidth = 12
  private static let minNameLength = 8

  /// Returns the line for a terminal with a number of columns.
  func text(columns: Int) -> String {
    let width = TerminalStatusLine.width(ofColumns: columns)
    let time = QuantityText.clock(Int(seconds)) + (duration.map { " / \(Self.clock($0))" } ?? "")
    let state = problem ?? (isPaused ? "paused" : nil)
    var parts = [time, state ?? bar, QuantityText.fixed(speed, decimals: 2) + "×"]
    if volume < 100 { parts.append("\(volume) %") }
    if let hint {
      let line = ([displayed(name)] + parts + [hint]).joined(separator: "  ")
      if line.count <= width { return line }
    }
    while true {
      let rest = parts.map { "  " + $0 }.joined()
      let room = width - rest.count
      if room >= min(name.count, Self.minNameLength) {
        return TerminalStatusLine.truncate(displayed(name), to: room) + rest
      }
      if parts.count == 1 { return TerminalStatusLine.truncate(time, to: width) }
      if parts.count > 2, parts[1] == bar {
        parts.remove(at: 1)
      } else {
        parts.removeLast()
      }
    }
  }

  private var bar: String {
    let filled = TerminalStatusLine.columns(ofLevel: level, of: Self.barWidth)
    return String(repeating: "▮", count: filled)
      + String(repeating: "▯", count: Self.barWidth - filled)
  }

  private static func clock(_ seconds: Double) -> String {
    QuantityText.clock(Int(seconds.rounded()))
  }
}
